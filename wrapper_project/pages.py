"""The few pages for people."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import View


class HomeView(View):
    """`/`: what this is, and where to read on. No script; one style sheet of our own."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """The same page for everyone."""
        response = render(request, "home.html", {"version": settings.VERSION})
        response.headers["Cache-Control"] = "public, max-age=300"
        return response
