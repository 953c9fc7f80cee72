"""`/healthz`, `/readyz` and `/api/version`."""

import logging
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    inline_serializer,
)
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

import store
from accounts.api.base import PublicView, SuccessSerializer, success
from jobs.queue import read_queue_state
from store import StoreUnavailable
from upstream.shared_client import client
from wrapper_project import error_table, errors
from wrapper_project.middleware import untrusted_proxy

logger = logging.getLogger(__name__)

Ready = success(
    "Ready",
    database=serializers.CharField(help_text="`ok` or `away`."),
    store=serializers.CharField(help_text="`ok` or `away`."),
    upstream=serializers.CharField(help_text="`ok`, or `trouble` if calls to some school fail."),
    untrustedProxy=serializers.CharField(
        required=False,
        allow_null=True,
        help_text="With `verbose` only: the address of a proxy that forwarded the request and is "
        "not in `TRUSTED_PROXIES`.",
    ),
    jobs=inline_serializer(
        "JobQueue",
        {
            "lag": serializers.FloatField(
                help_text="Age in seconds of the oldest job that is due."
            ),
            "waiting": serializers.IntegerField(help_text="Jobs that are due."),
            "later": serializers.IntegerField(help_text="Jobs that are not due yet."),
            "running": serializers.IntegerField(),
            "failed": serializers.IntegerField(help_text="Within a day."),
        },
        required=False,
        help_text="With `verbose` only.",
    ),
)
VERBOSE = OpenApiParameter(
    "verbose",
    OpenApiTypes.STR,
    allow_blank=True,
    description="Report the jobs of the workers as well, and a proxy that is not trusted; the "
    "value does not matter.",
)
Version = success(
    "Version",
    version=serializers.CharField(),
    api=serializers.ListField(child=serializers.CharField()),
)
VERSION = {"success": True, "version": settings.VERSION, "api": ["legacy", "v2"]}


class AliveView(PublicView):
    """Whether the process runs. Uses no database and no store."""

    @extend_schema(
        operation_id="healthz",
        summary="Whether the process runs",
        responses={200: SuccessSerializer},
        tags=["service"],
    )
    def get(self, request: Request) -> Response:
        return Response({"success": True})


class ReadyView(PublicView):
    """Whether a load balancer may send requests here: the database responds.

    The store and the school's system are reported but do not count: most requests are served
    without them, and every process would be removed at once. The same holds for the jobs, which
    `?verbose` adds.
    """

    @extend_schema(
        operation_id="readyz",
        summary="Whether the process can serve requests",
        parameters=[VERBOSE],
        responses={200: Ready},
        tags=["service"],
    )
    def get(self, request: Request) -> HttpResponse:
        """200, or 503 with the state of each part."""
        states: dict[str, Any] = {
            "database": _state(_ask_database),
            "store": _state(store.ping),
            "upstream": "trouble" if client().guards.any_circuit_open() else "ok",
        }
        if states["database"] != "ok":
            return errors.respond(error_table.DATABASE_AWAY, details=states)
        return Response({"success": True, **states, **_read_more(request)})


def _read_more(request: Request) -> dict[str, Any]:
    """What `verbose` adds."""
    if VERBOSE.name not in request.GET:
        return {}
    return {"jobs": asdict(read_queue_state()), "untrustedProxy": untrusted_proxy(request)}


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
    """The version of the service, and the kinds of login that it supports."""

    @extend_schema(
        operation_id="version",
        summary="The version of the service",
        responses={200: Version},
        examples=[OpenApiExample("This version", value=VERSION, response_only=True)],
        tags=["service"],
    )
    def get(self, request: Request) -> Response:
        return Response(VERSION)
