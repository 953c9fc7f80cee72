"""The application: finds who answers, and lets the script of faults have its way."""

import asyncio

from upstream.simulator import control, routes
from upstream.simulator.answers.access import Handler
from upstream.simulator.faults.connection import CONNECTION_FAULTS, Delivery
from upstream.simulator.faults.malformed import MALFORMED
from upstream.simulator.faults.replacements import REPLACEMENTS
from upstream.simulator.faults.script import Fault, Faults
from upstream.simulator.http_exchange import Line, Message, Receive, Request, Send, read_request
from upstream.simulator.request_log import LoggedRequest, RequestLog
from upstream.simulator.state import State


class Application:
    """An ASGI application. `transports` is kept by the server: client address -> its wire."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.faults = Faults()
        self.request_log = RequestLog()
        self.transports: dict[tuple[str, int], asyncio.Transport] = {}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        request = await read_request(scope, receive)
        line = Line(receive, send, self.transports.get(tuple(scope["client"] or ())))
        try:
            if request.path.startswith(control.PREFIX):
                await line.send(control.answer(request, self.state, self.faults))
            else:
                await self._serve(request, line)
        finally:
            await line.close()

    async def _serve(self, request: Request, line: Line) -> None:
        request, operation, answer = routes.find(request, self.state)
        school = request.school
        self.request_log.begin(
            LoggedRequest(
                request.method, request.path, school, operation, frozenset(request.headers)
            )
        )
        try:
            await self.faults.wait_while_held(operation, school, after=False)
            fault = self.faults.take(operation, school)
            await asyncio.sleep(self.faults.latency)
            await self._answer(request, answer, operation, fault, line)
        finally:
            self.request_log.end()

    async def _answer(
        self,
        request: Request,
        answer: Handler,
        operation: str,
        fault: Fault | None,
        line: Line,
    ) -> None:
        """The handler, or what the fault puts instead; then the answer, on a good line or not."""
        if fault is not None and fault.value in REPLACEMENTS:
            response = REPLACEMENTS[fault.value](request, **fault.options)
        else:
            response = answer(request, self.state)
        if fault is not None and fault.value in MALFORMED and response.status < 400:
            response = MALFORMED[fault.value](response, **fault.options)
        await self.faults.wait_while_held(operation, request.school, after=True)
        if fault is not None and fault.value in CONNECTION_FAULTS:
            await CONNECTION_FAULTS[fault.value](
                Delivery(line, response, self.faults.hang), **fault.options
            )
        else:
            await line.send(response)
