from schoolproxy.models.feeds import CalendarFeed, ChildCalendarFeed

__all__ = ["CalendarFeed", "ChildCalendarFeed"]
