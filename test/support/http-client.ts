// A person at the other end of HTTP: signs up, keeps the session cookie, mints tokens. What a browser does, no more.

/** Bodies are read by tests that say what they expect of them. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test's own expectation is the type of a body
export type Body = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface SignedIn {
  readonly id: string;
  readonly email: string;
  readonly cookie: string;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  send(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A connect token without a name. */
  token(organization: string, scopes: readonly string[], workspace?: string): Promise<string>;
}

let people = 0;

export async function signUp(url: string, name: string): Promise<SignedIn> {
  const email = `${name.toLowerCase()}.${process.pid}.${++people}@example.test`;
  const response = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ name, email, password: 'correct horse battery staple' }),
  });
  if (!response.ok) throw new Error(`sign-up answered ${response.status}: ${await response.text()}`);
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const { user } = (await response.json()) as { user: { id: string } };

  async function send(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { cookie, origin: url, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  return {
    id: user.id,
    email,
    cookie,
    send,
    get: (path) => send('GET', path),
    post: (path, body = {}) => send('POST', path, body),
    async token(organization, scopes, workspace) {
      const { status, body } = await send('POST', '/api/tokens', {
        organization,
        scopes,
        ...(workspace === undefined ? {} : { workspace }),
      });
      if (status !== 201) throw new Error(`minting a token answered ${status}: ${JSON.stringify(body)}`);
      return body.token;
    },
  };
}
