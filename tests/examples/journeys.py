"""What a person sees who uses the example; the same for every language."""

from tests.examples.conftest import Person
from tests.examples.programs import Example
from tests.examples.wire import Wire
from tests.service_process import ServiceProcess
from upstream.simulator.server import Simulator

ELSA = {"PASSWORD": "elsa-demo"}
MONTH = 31 * 24 * 3600
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]


def read_a_week(example: Example, service: ServiceProcess, elsa: Person) -> None:
    """Every lesson of the answer is a line below its day."""
    status, printed, said = example.run("week", "elsa.nordvall", "11", SERVICE=service.url, **ELSA)
    assert (status, said) == (0, "")
    first, *days = printed.rstrip("\n").split("\n\n")
    assert first == "Week 11"
    assert [day.split()[0] for day in days] == WEEKDAYS
    lines = [line for day in days for line in day.splitlines()[1:]]
    lessons = elsa.schedule(11)
    assert [line[2:13] for line in lines] == [
        f"{lesson['startDate'][11:]}-{lesson['endDate'][11:]}" for lesson in lessons
    ]
    for line, lesson in zip(lines, lessons, strict=True):
        for field in ("description", "room", "teacher"):
            assert (lesson.get(field) or "") in line


def be_refused(example: Example, service: ServiceProcess) -> None:
    status, printed, said = example.run(
        "week", "elsa.nordvall", SERVICE=service.url, PASSWORD="not hers"
    )
    assert (status, printed) == (1, "")
    assert said == "The username or the password is wrong.\n"


def talk_over_a_bad_wire(example: Example, wire: Wire, simulator: Simulator, bo: Person) -> None:
    """Answers, connections and the session are lost; no message is missed or doubled."""
    passwords = simulator.requests.count("login.password")
    with example.running("chat", "elsa.nordvall", "bo.ek", SERVICE=wire.url, **ELSA) as elsa:
        assert elsa.lines(1) == ["You and Bo Ek"]
        bo.talk_with("elsa.nordvall")
        first = bo.say("Hej!")
        assert elsa.lines(1) == ["1 Bo Ek: Hej!"]
        elsa.type("Hej Bo!")
        assert elsa.lines(1) == ["2 Elsa Nordvall: Hej Bo!"]

        # A message arrives, and the answer to its sender is lost.
        with bo.listening() as wait_for:
            wire.lose_answers()
            elsa.type("Hör du mig?")
            assert wait_for("message.created")["message"]["content"] == "Hör du mig?"
            wire.cut()
        bo.say("Ja. Hör du mig?")
        bo.edit(first, "Hej Elsa!")
        simulator.state.clock.advance(MONTH)
        wire.mend()
        assert elsa.lines(3) == [
            "3 Elsa Nordvall: Hör du mig?",
            "4 Bo Ek: Ja. Hör du mig?",
            "1 Bo Ek: Hej Elsa! (edited)",
        ]

        bo.renew()
        bo.say("Nu då?")
        assert elsa.lines(1) == ["5 Bo Ek: Nu då?"]
        elsa.type("Ja!")
        assert elsa.lines(1) == ["6 Elsa Nordvall: Ja!"]
        assert elsa.end() == []
    assert bo.texts() == [
        "Hej Elsa!", "Hej Bo!", "Hör du mig?", "Ja. Hör du mig?", "Nu då?", "Ja!",
    ]  # fmt: skip
    assert simulator.requests.count("login.password") == passwords + 1
