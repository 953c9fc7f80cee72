/** Errors of the API, and of the way to it. */

import { inLanguage } from "../lib/language";

const texts = inLanguage({
  en: { reference: (id: string) => `(Reference: ${id})` },
  sv: { reference: (id: string) => `(Referens: ${id})` },
});

export interface ErrorBody {
  error: string;
  code: string;
  fields?: Record<string, string[]>;
  until?: number | null;
  reason?: string;
  contact?: string;
}

/** The service answered with an error, or not at all (status 0). The message is for the person. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly code: string,
    readonly fields: Record<string, string[]> = {},
    readonly body?: unknown,
  ) {
    super(message);
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

type Answer<Data> = { data?: Data; error?: unknown; response: Response };

/** The data of an answer. Raises `Refused` for every other answer. */
export async function good<Data>(answer: Promise<Answer<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await answer;
  if (data !== undefined && data !== null) return data;
  const { error: sentence, code, fields } = (error ?? {}) as Partial<ErrorBody>;
  throw new Refused(response.status, worded(response, sentence), code ?? "unknown", fields, error);
}

/** The sentence, and for a fault of the service what its operator finds in the log. */
function worded(response: Response, sentence?: string): string {
  const words = sentence ?? `${response.status}`;
  const id = response.headers.get("X-Request-ID");
  return response.status >= 500 && id ? `${words} ${texts.reference(id.slice(0, 8))}` : words;
}
