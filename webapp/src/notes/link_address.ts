/** Which addresses a note may link to. `notes/richtext/values.py` has the same rules. */

const MAX_LENGTH = 2048;
const INVISIBLE = /[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]/;
const SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d)/i;
const MAIL = /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/;
const HOST = /^[\p{L}\p{N}][\p{L}\p{N}-]*(\.[\p{L}\p{N}-]+)+(:\d+)?([/?#]|$)/u;

/** http or https with a host, or mailto. */
export function isAcceptedLink(address: unknown): address is string {
  if (typeof address !== "string" || address.length > MAX_LENGTH || address !== address.trim()) return false;
  if (INVISIBLE.test(address)) return false;
  if (/^mailto:\S/i.test(address)) return true;
  return /^https?:\/\/[^/?#\\\s]/i.test(address) && URL.canParse(address);
}

/** The address that somebody means who typed this: "example.org" is https://example.org. */
export function addressFrom(typed: string): string | undefined {
  const text = typed.trim();
  const address = withScheme(text);
  if (!isAcceptedLink(address)) return undefined;
  // Names such as "räksmörgås.se" in the letters that every program takes.
  const plain = new URL(address).href;
  return isAcceptedLink(plain) ? plain : undefined;
}

function withScheme(text: string): string {
  if (SCHEME.test(text)) return text;
  if (MAIL.test(text)) return `mailto:${text}`;
  return HOST.test(text) ? `https://${text}` : "";
}
