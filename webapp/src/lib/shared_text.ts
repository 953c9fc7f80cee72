/** What another app gave to this one, for the chat that the person chose. Nothing sends it. */

let waiting = { id: "", text: "" };

export function shareInto(id: string, text: string): void {
  waiting = { id, text };
}

/** Takes it, so that it goes to one place only. */
export function takeShared(id: string): string {
  if (waiting.id !== id) return "";
  const { text } = waiting;
  waiting = { id: "", text: "" };
  return text;
}
