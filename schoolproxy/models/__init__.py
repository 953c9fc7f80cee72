from schoolproxy.models.done import DoneAssignment
from schoolproxy.models.feeds import CalendarFeed, ChildCalendarFeed
from schoolproxy.models.watch import ScheduleChange, Watch

__all__ = ["CalendarFeed", "ChildCalendarFeed", "DoneAssignment", "ScheduleChange", "Watch"]
