import type { Command } from 'commander';
import { type Account, findAccount, requireToken } from '../account.ts';
import { request } from '../api/send.ts';
import { failureOf, toFailure } from '../api/to-failure.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';
import { printable } from '../output.ts';

interface Options extends Common {
  readonly data?: string;
  readonly field: string[];
  readonly header: string[];
  readonly paginate?: boolean;
}

const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE)$/;
/** Headers that cannot be set with --header. */
const OURS = /^(?:authorization|host|cookie|content-length|connection|transfer-encoding)$/i;

export function addApi(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'api <method> <path>',
    summary: 'Send an authenticated request to the service and print the response',
    example: "servicectl api POST /runtime/agents/factory/jobs --field objective='List the open issues'",
  })
    .option('-d, --data <body>', 'the body: text, @file, or - for standard input; JSON unless a header says otherwise')
    .option(
      '--field <name=value>',
      'a field of the JSON body, or of the query string of a GET; repeatable. A value that parses as JSON is sent as JSON',
      (pair: string, before: string[]) => [...before, pair],
      [],
    )
    .option('--paginate', 'for a GET of a list: follow its cursor to the end, and print all pages as one')
    .option('--header <name: value>', 'a header; repeatable', (line: string, before: string[]) => [...before, line], [])
    .action((method: string, path: string, options: Options) => api(cli, method.toUpperCase(), path, options));
}

async function api(cli: Cli, method: string, given: string, options: Options): Promise<void> {
  const { host, output } = cli;
  if (!METHOD.test(method))
    throw usage(
      'the method must be GET, HEAD, POST, PUT, PATCH or DELETE',
      'For example: servicectl api GET /runtime/jobs',
    );
  if (options.data !== undefined && options.field.length > 0) throw usage('use either --data or --field for the body');
  if (options.paginate && method !== 'GET') throw usage('--paginate is for GET');
  const headers = readHeaders(options.header);
  const account = await findAccount(host, options);
  const fields = readFields(options.field);
  const reads = method === 'GET' || method === 'HEAD';
  const target = checkPath(account, reads ? withQuery(given, fields) : given);
  const body =
    options.data === undefined
      ? reads || options.field.length === 0
        ? undefined
        : JSON.stringify(fields)
      : await readData(cli, options.data);
  const ask = (path: string): Promise<Response> =>
    request(account.url, path, {
      method,
      bearer: credentialFor(account, target),
      text: body,
      headers,
      stream: true,
      anything: true,
    });
  if (options.paginate) return output.json(await readPages(ask, target));
  const response = await ask(target);
  const printed = await print(cli, response, options);
  if (!response.ok)
    throw toFailure(response.status, printed, { path: target, retryAfter: response.headers.get('retry-after') });
  if (output.watched && response.status === 204) output.say('204 No Content');
}

/** All pages as one: the lists are joined, everything else is as on the first page. */
async function readPages(ask: (path: string) => Promise<Response>, path: string): Promise<Record<string, unknown>> {
  let whole: Record<string, unknown> = {};
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const response = await ask(cursor === undefined ? path : withCursor(path, cursor));
    if (!response.ok) throw await failureOf(response, path);
    const page: unknown = await response.json().catch(() => undefined);
    if (typeof page !== 'object' || page === null || Array.isArray(page))
      throw new Failure('the response is not a page of a list', { next: 'Run it without --paginate.' });
    const { cursor: next, ...fields } = page as Record<string, unknown>;
    whole = first ? fields : joinPages(whole, fields);
    if (next !== undefined && next === cursor)
      throw new Failure('the service repeats a page', { next: 'Run it without --paginate.' });
    cursor = typeof next === 'string' ? next : undefined;
  }
  return whole;
}

function joinPages(before: Record<string, unknown>, page: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(before).map(([name, value]) => {
      const more = page[name];
      return [
        name,
        Array.isArray(value) && Array.isArray(more) ? [...(value as unknown[]), ...(more as unknown[])] : value,
      ];
    }),
  );
}

function withCursor(path: string, cursor: string): string {
  const [pathname = '', query = ''] = path.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  return `${pathname}?${parameters.toString()}`;
}

/** The web server takes a session, everything else a connect token. */
function credentialFor(account: Account, path: string): string {
  return path.startsWith('/api/') && account.session !== undefined ? account.session : requireToken(account);
}

/** Makes sure that the path belongs to this service: the credential must not be sent anywhere else. */
function checkPath({ url }: Account, path: string): string {
  const whole =
    path.startsWith('/') && !/^\/[/\\]/.test(path) && URL.canParse(url + path) ? new URL(url + path) : undefined;
  if (!whole || whole.origin !== new URL(url).origin || !whole.href.startsWith(`${url}/`) || whole.hash !== '')
    throw usage(
      'the path must start with / and belong to this service',
      'For example: servicectl api GET /runtime/jobs (use --url for another service)',
    );
  return whole.href.slice(url.length);
}

function readFields(pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw usage('--field takes name=value');
      return [pair.slice(0, at), parsed(pair.slice(at + 1)) ?? pair.slice(at + 1)];
    }),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withQuery(path: string, fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();
  return query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([\w-]+):\s*([\x20-\x7E]*)$/.exec(line) ?? [];
      if (name === '' || OURS.test(name))
        throw usage("--header takes 'name: value'; connection and authentication headers cannot be set");
      return [name.toLowerCase(), value];
    }),
  );
}

async function readData({ host }: Cli, value: string): Promise<string> {
  if (value !== '-' && !value.startsWith('@')) return value;
  return (await import('../read-input.ts')).readNamed(host, value.replace(/^@/, ''));
}

/** Prints the response and returns it if it is JSON. */
async function print({ output }: Cli, response: Response, { json }: Options): Promise<unknown> {
  if (!/^application\/(?:[\w.-]+\+)?json\b/.test(response.headers.get('content-type') ?? '')) {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) {
      if (output.watched) output.write(printable(decoder.decode(piece, { stream: true })));
      else output.bytes(piece);
    }
    return undefined;
  }
  const text = await response.text();
  const value = parsed(text);
  if (value !== undefined && (json || output.watched)) output.json(value);
  else output.write(text.endsWith('\n') || text === '' ? text : `${text}\n`);
  return value;
}
