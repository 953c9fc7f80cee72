from schoolproxy.models.feeds import CalendarFeed

__all__ = ["CalendarFeed"]
