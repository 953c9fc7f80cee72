/** Signing in, and renewing the session: what the generated types leave to their user. */

import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./schema.js";

export const SERVICE = process.env["SERVICE"] ?? "http://127.0.0.1:8000";
const SCHOOL = process.env["SCHOOL"] ?? "bjorkdalen";

export type ServiceClient = Client<paths>;

/** The service answered with an error, or not at all (status 0). The message is for the person. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Sends the access token. After a 401 it renews the session once and repeats the request. */
export class Session {
  readonly client: ServiceClient;

  constructor(private token: string) {
    this.client = createClient<paths>({ baseUrl: SERVICE, fetch: (request) => this.send(request) });
  }

  get header(): { Authorization: string } {
    return { Authorization: `Bearer ${this.token}` };
  }

  private async send(request: Request): Promise<Response> {
    const repeated = request.clone();
    const response = await fetch(request, { headers: this.headersOf(request) });
    if (response.status !== 401 || !(await this.renew())) return response;
    return fetch(repeated, { headers: this.headersOf(repeated) });
  }

  private headersOf(request: Request): Headers {
    const headers = new Headers(request.headers);
    headers.set("Authorization", this.header.Authorization);
    return headers;
  }

  private async renew(): Promise<boolean> {
    const anonymous = createClient<paths>({ baseUrl: SERVICE, headers: this.header });
    const { data } = await anonymous.POST("/api/refresh");
    if (data) this.token = data.access_token;
    return data !== undefined;
  }
}

/** A session of this person. The password is in PASSWORD. */
export async function signIn(username: string): Promise<Session> {
  const password = process.env["PASSWORD"] ?? "";
  const anonymous = createClient<paths>({ baseUrl: SERVICE });
  const body = { username, password, school: SCHOOL };
  const { token } = await good(anonymous.POST("/api/login", { body }));
  return new Session(token);
}

interface Answer<Body> {
  data?: Body;
  error?: unknown;
  response: Response;
}

/** The body of a successful answer. Throws `Refused` for any other one. */
export async function good<Body>(request: Promise<Answer<Body>>): Promise<Body> {
  const { data, error, response } = await request.catch((failure: unknown) => {
    // What `fetch` throws when the connection fails.
    if (failure instanceof TypeError) throw new Refused(0, "The service cannot be reached.");
    throw failure;
  });
  if (data !== undefined) return data;
  const { error: sentence } = Object(error) as { error?: string };
  throw new Refused(response.status, sentence ?? response.statusText);
}

/** The arguments of the command line. Ends the program when there are too few. */
export function readArguments(...names: string[]): string[] {
  const given = process.argv.slice(2);
  if (given.length >= names.length) return given;
  console.error(`Arguments: ${names.join(" ")}`);
  process.exit(2);
}

/** Runs a program, and shows what the service refused as a sentence. */
export async function run(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
