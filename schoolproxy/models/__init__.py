from schoolproxy.models.feeds import CalendarFeed, ChildCalendarFeed
from schoolproxy.models.watch import ScheduleChange, Watch

__all__ = ["CalendarFeed", "ChildCalendarFeed", "ScheduleChange", "Watch"]
