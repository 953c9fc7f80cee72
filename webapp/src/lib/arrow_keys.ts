type KeyDown = KeyboardEvent & { currentTarget: HTMLElement };

/**
 * Moves the focus to the next of these in the element, with the arrow keys to the sides, Home and End
 * (WAI-ARIA "roving tabindex").
 */
export function moveFocus(event: KeyDown, selector: string): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const now = items.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: -1 }[event.key];
  if (next === undefined || now < 0) return;
  event.preventDefault();
  items.at(next % items.length)?.focus();
}

/** The same where they stand in lines below each other: up and down, too. */
export function moveFocusInLines(event: KeyDown, selector: string): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return moveFocus(event, selector);
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const now = items.find((item) => item === document.activeElement);
  if (!now) return;
  event.preventDefault();
  const isDown = event.key === "ArrowDown";
  const beyond = items.filter(({ offsetTop }) => (isDown ? offsetTop > now.offsetTop : offsetTop < now.offsetTop));
  const nearest = beyond.at(isDown ? 0 : -1)?.offsetTop;
  const line = beyond.filter(({ offsetTop }) => offsetTop === nearest);
  const away = ({ offsetLeft }: HTMLElement) => Math.abs(offsetLeft - now.offsetLeft);
  line.sort((a, b) => away(a) - away(b))[0]?.focus();
}
