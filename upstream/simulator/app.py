"""The application: finds who answers, and lets the script of faults have its way."""

import asyncio

from upstream.simulator import control, routes
from upstream.simulator.answers.admission import Answer
from upstream.simulator.calls import Call, Calls
from upstream.simulator.faults.bent import BENT
from upstream.simulator.faults.instead import INSTEAD
from upstream.simulator.faults.lines import LINES, Delivery
from upstream.simulator.faults.script import Fault, Faults
from upstream.simulator.state import State
from upstream.simulator.wire import Line, Message, Receive, Request, Send, read_request


class Application:
    """An ASGI application. `transports` is kept by the server: client address -> its wire."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.faults = Faults()
        self.calls = Calls()
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
        self.calls.begin(
            Call(request.method, request.path, school, operation, frozenset(request.headers))
        )
        try:
            await self.faults.wait_at_gates(operation, school, after=False)
            fault = self.faults.take(operation, school)
            await asyncio.sleep(self.faults.latency)
            await self._answer(request, answer, operation, fault, line)
        finally:
            self.calls.end()

    async def _answer(
        self,
        request: Request,
        answer: Answer,
        operation: str,
        fault: Fault | None,
        line: Line,
    ) -> None:
        """The work, or what the fault puts in its place; then the answer, on a good line or not."""
        if fault is not None and fault.value in INSTEAD:
            response = INSTEAD[fault.value](request, **fault.options)
        else:
            response = answer(request, self.state)
        if fault is not None and fault.value in BENT and response.status < 400:
            response = BENT[fault.value](response, **fault.options)
        await self.faults.wait_at_gates(operation, request.school, after=True)
        if fault is not None and fault.value in LINES:
            await LINES[fault.value](Delivery(line, response, self.faults.hang), **fault.options)
        else:
            await line.send(response)
