"""The ASGI application: finds the handler of a request and applies the scripted faults."""

import asyncio

from upstream.simulator import control, routes
from upstream.simulator.access import Handler
from upstream.simulator.faults.connection import CONNECTION_FAULTS, PendingResponse
from upstream.simulator.faults.malformed import MALFORMED
from upstream.simulator.faults.replacements import REPLACEMENTS
from upstream.simulator.faults.script import Fault, Faults
from upstream.simulator.http_exchange import (
    Connection,
    Message,
    Receive,
    Request,
    Send,
    read_request,
)
from upstream.simulator.request_log import LoggedRequest, RequestLog
from upstream.simulator.state import State


class Application:
    """An ASGI application. The server maintains `transports`, by client address."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.faults = Faults()
        self.request_log = RequestLog()
        self.transports: dict[tuple[str, int], asyncio.Transport] = {}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        request = await read_request(scope, receive)
        transport = self.transports.get(tuple(scope["client"] or ()))
        connection = Connection(receive, send, transport)
        try:
            if request.path.startswith(control.PREFIX):
                await connection.send(control.respond(request, self.state, self.faults))
            else:
                await self._serve(request, connection)
        finally:
            await connection.close()

    async def _serve(self, request: Request, connection: Connection) -> None:
        request, operation, handler = routes.find(request, self.state)
        school, header_names = request.school, frozenset(request.headers)
        now = self.state.clock.now()
        self.request_log.begin(
            LoggedRequest(
                *(request.method, request.path, school, operation, header_names, now),
                action=request.query.get("action", ""),
            )
        )
        try:
            await self.faults.wait_while_held(operation, school, after=False)
            fault = self.faults.take(operation, school)
            await asyncio.sleep(self.faults.latency)
            await self._respond(request, handler, operation, fault, connection)
        finally:
            self.request_log.end()

    async def _respond(
        self,
        request: Request,
        handler: Handler,
        operation: str,
        fault: Fault | None,
        connection: Connection,
    ) -> None:
        """Call the handler, or replace it, then send the response, with the fault applied."""
        if fault is not None and fault.value in REPLACEMENTS:
            response = REPLACEMENTS[fault.value](request, **fault.options)
        else:
            response = handler(request, self.state)
        if fault is not None and fault.value in MALFORMED and response.status < 400:
            response = MALFORMED[fault.value](response, **fault.options)
        await self.faults.wait_while_held(operation, request.school, after=True)
        if fault is not None and fault.value in CONNECTION_FAULTS:
            pending = PendingResponse(connection, response, self.faults.hanging)
            await CONNECTION_FAULTS[fault.value](pending, **fault.options)
        else:
            await connection.send(response)
