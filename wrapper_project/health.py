"""Is the process alive, is it ready to serve, and which version is it."""

import logging
from collections.abc import Callable

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import PublicView, SuccessSerializer
from accounts.errors import StoreUnavailable
from accounts.stores import store
from upstream.shared_client import client
from wrapper_project import error_table, errors

logger = logging.getLogger(__name__)

Ready = inline_serializer(
    "Ready",
    {
        "success": serializers.BooleanField(),
        "database": serializers.CharField(help_text="`ok` or `away`."),
        "store": serializers.CharField(help_text="`ok` or `away`."),
        "upstream": serializers.CharField(help_text="`ok`, or `trouble` at some school."),
    },
)
Version = inline_serializer(
    "Version",
    {
        "success": serializers.BooleanField(),
        "version": serializers.CharField(),
        "api": serializers.ListField(child=serializers.CharField()),
    },
)


class AliveView(PublicView):
    """The process answers. Touches nothing."""

    @extend_schema(
        operation_id="healthz",
        summary="Is the process alive",
        responses={200: SuccessSerializer},
        tags=["service"],
    )
    def get(self, request: Request) -> Response:
        """Always 200."""
        del request
        return Response({"success": True})


NEEDED = {"database": error_table.DATABASE_AWAY, "store": error_table.STORE_AWAY}


class ReadyView(PublicView):
    """Whether to send requests here: the database and the store answer.

    Upstream is reported and never fails it: every process would be taken out at once.
    """

    raises = (StoreUnavailable,)

    @extend_schema(
        operation_id="readyz",
        summary="Is the process ready to serve",
        responses={200: Ready},
        tags=["service"],
    )
    def get(self, request: Request) -> HttpResponse:
        """200 or 503, with what is away."""
        del request
        states = {
            "database": _state(_ask_database),
            "store": _state(store().ping),
            "upstream": "trouble" if client().any_circuit_open() else "ok",
        }
        for name, row in NEEDED.items():
            if states[name] != "ok":
                return errors.respond(row, details=states)
        return Response({"success": True, **states})


def _ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _state(ask: Callable[[], None]) -> str:
    try:
        ask()
    except (DatabaseError, StoreUnavailable) as error:
        logger.warning("not ready", exc_info=error)
        return "away"
    return "ok"


class VersionView(PublicView):
    """Which version this is, and which ways to log in it has."""

    @extend_schema(
        operation_id="version",
        summary="The version of the service",
        responses={200: Version},
        examples=[
            OpenApiExample(
                "This version",
                value={"success": True, "version": settings.VERSION, "api": ["legacy", "v2"]},
                response_only=True,
            )
        ],
        tags=["service"],
    )
    def get(self, request: Request) -> Response:
        """Public."""
        del request
        return Response({"success": True, "version": settings.VERSION, "api": ["legacy", "v2"]})
