"""The client library for the school system, which this service calls for all school data."""
