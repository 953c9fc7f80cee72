"""What pupils do most, in the fewest taps from the first page."""

from playwright.sync_api import Page

# A step is what is tapped, or what is typed after "type:". The last one is what then is to be seen.
TASKS: dict[str, list[str]] = {
    "today's lessons": [".today-date"],
    "this week": ["nav a[href='/app/week']", "main .day"],
    "next week": ["main a[href^='/app/week?from=']", "main .day"],
    "the newest article": ["main a[href^='/app/news/'] >> nth=0", "main .card"],
    "a result": ["nav a[href='/app/more']", "main a[href='/app/results']", ".result-letter"],
    "to do": ["nav a[href='/app/more']", "main a[href='/app/todo']", ".todo"],
    "a message": [
        "main .chat-row >> text=Elsa", "textarea", "type:Hej, kommer du?",
        ".composer-send", ".composer-send:disabled",
    ],
    "a note": ["nav a[href='/app/more']", "main a[href='/app/notes']", ".notes-page"],
    "search": [
        "nav a[href='/app/more']", "main a[href='/app/search']", "search input", "type:prov",
        "main .rows a",
    ],
}  # fmt: skip

# To tap into what is typed in is part of typing.
FIELDS = ("textarea", "input")

# Keeps how long each tap and each key was felt: from the finger to the next picture, in ms.
_OBSERVE = """() => {
  window.felt = [];
  new PerformanceObserver(list => {
    for (const {interactionId, duration} of list.getEntries())
      if (interactionId) window.felt.push(duration);
  }).observe({type: "event", durationThreshold: 16, buffered: true});
}"""


def felt(page: Page, steps: list[str], *, slower: float = 4) -> tuple[int, float]:
    """Do a task on a processor that is so many times slower.

    Returns: the taps (those into a field that is typed in are none), and the ms of the slowest
    interaction; 0 where all were shorter than a picture.
    """
    steering = page.context.new_cdp_session(page)
    steering.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.evaluate(_OBSERVE)
    taps = 0
    *doing, shown = steps
    for step in doing:
        if step.startswith("type:"):
            page.keyboard.type(step.removeprefix("type:"), delay=60)
            continue
        page.locator(step).first.tap()
        taps += not step.endswith(FIELDS)
    page.locator(shown).first.wait_for()
    # Two pictures later the browser has said how long the last one took.
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 300)))")
    return taps, max(page.evaluate("() => window.felt"), default=0)
