import { type Command, Option } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClient } from '../../api/typed-clients.ts';
import { type Cli, type Common, defineCommand } from '../../define-command.ts';
import { usage } from '../../failure.ts';
import { listAll } from '../../list-all.ts';
import { listMembers } from '../../find-member.ts';
import { openOrganization } from '../../organization-of.ts';
import { matchesRequest, readSince, readStatus, type RequestFilters } from '../../requests/match-request.ts';
import { withServed } from '../../../src/contract/routes/with-served.ts';
import type { LoggedRequest, SpendSurface } from '../../../src/contract/spend.ts';
import { dollars } from '../usage.ts';

interface Options extends Common {
  readonly id?: string;
  readonly member?: string;
  readonly workspace?: string;
  readonly token?: string;
  readonly model?: string;
  readonly surface?: SpendSurface;
  readonly status?: string;
  readonly since: string;
  readonly limit: string;
  readonly follow?: boolean;
}

/** The same as in src/contract/spend.ts, which is loaded only on demand. */
const SURFACES = ['chat', '/v1', 'title', 'embedding', 'run'] as const satisfies readonly SpendSurface[];

const PAGE = 200;
const FIRST_PAGE = 50;
const POLL_MS = 2_000;

export function addRequests(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'requests',
    summary: 'Show the log of requests to models, newest first: who, which model, status, cost and time, never content',
    brief: 'Show the log of requests to models: status, cost and time',
    example: 'servicectl requests --status 4xx --since 2h',
  })
    .option('--id <id>', 'only this request, by its x-request-id')
    .option('--member <member>', 'only of this member, by email or ID')
    .option('--workspace <workspace>', 'only of this workspace, by slug or ID')
    .option('--token <token>', 'only with this token, by name or ID')
    .option('--model <pattern>', 'only of models whose name matches, such as openai/*')
    .addOption(new Option('--surface <surface>', 'only from here').choices(SURFACES))
    .option('--status <status>', 'only with this HTTP status: 429, or 4xx')
    .option('--since <time>', 'from when on: 30m, 2h, 7d or a date; at most 30 days are kept', '1d')
    .option('--limit <count>', 'how many to show, at most 10000', '50')
    .option('--follow', 'keep printing new requests as they are logged')
    .action((options: Options) => requests(cli, options));
}

async function requests(cli: Cli, options: Options): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw usage('--limit takes a whole number from 1 to 10000');
  const since = readSince(options.since, Date.now());
  const status = options.status === undefined ? undefined : readStatus(options.status);
  const { client, org } = await openOrganization(cli, options);
  const names = await readNames(client, org);
  const filters: RequestFilters = {
    member: names.idOf(options.member),
    workspace: names.idOf(options.workspace),
    token: names.idOf(options.token),
    model: options.model,
    surface: options.surface,
    status,
  };
  const read = (cursor: string | undefined, count: number) =>
    client.spend.requests({
      org,
      limit: count,
      ...(options.id === undefined ? {} : { id: options.id }),
      ...(cursor === undefined ? {} : { cursor }),
    });
  const found: LoggedRequest[] = [];
  let more = false;
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page = await read(cursor, first ? FIRST_PAGE : PAGE);
    const recent = page.requests.filter(({ at }) => options.id !== undefined || Date.parse(at) >= since);
    found.push(...recent.filter((one) => matchesRequest(one, filters)));
    more = found.length > limit || (found.length === limit && page.cursor !== undefined);
    cursor = recent.length < page.requests.length || found.length >= limit ? undefined : page.cursor;
  }
  found.splice(limit);
  if (options.follow) return follow(cli, options, { found, filters, names, read: () => read(undefined, PAGE) });
  if (options.json) return cli.output.json({ requests: found });
  if (found.length === 0)
    cli.output.say(`No requests match since ${options.since}. Look further back with --since 30d.`);
  cli.output.table(
    HEADS,
    found.map((one) => row(one, names)),
  );
  if (more) cli.output.say('There are more. To see them, raise --limit.');
}

interface Following {
  readonly found: readonly LoggedRequest[];
  readonly filters: RequestFilters;
  readonly names: Names;
  read(): Promise<{ readonly requests: readonly LoggedRequest[] }>;
}

/** Until Ctrl-C. What was logged before is printed first, the oldest on top. */
async function follow({ output }: Cli, { json }: Options, { found, filters, names, read }: Following): Promise<never> {
  const seen = new Set<string>();
  const print = (requests: readonly LoggedRequest[]): void => {
    for (const one of requests.toReversed()) {
      const key = `${one.id} ${one.at}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (json) output.jsonLine(one);
      else output.line(row(one, names).join(output.watched ? '  ' : '\t'));
    }
  };
  print(found);
  for (;;) {
    await sleep(POLL_MS);
    print((await read()).requests.filter((one) => matchesRequest(one, filters)));
  }
}

const HEADS = ['AT', 'STATUS', 'MEMBER', 'MODEL', 'SURFACE', 'PAID BY', 'TOKENS', 'COST', 'MS', 'REQUEST'] as const;

function row(one: LoggedRequest, names: Names): string[] {
  return [
    one.at,
    String(one.status),
    names.nameOf(one.member),
    withServed(one.model, one.served),
    one.surface,
    one.credential,
    `${one.inputTokens}/${one.outputTokens}`,
    one.cost === null ? 'unknown' : dollars(one.cost),
    String(one.durationMs),
    one.id,
  ];
}

interface Names {
  nameOf(id: string): string;
  idOf(given: string | undefined): string | undefined;
}

/** The log has IDs; people know members by email, workspaces by slug and their own tokens by name. */
async function readNames(client: WebClient, org: string): Promise<Names> {
  const [members, workspaces, tokens] = await Promise.all([
    listMembers(client, org),
    listAll(
      (cursor) => client.workspaces.list({ org, limit: PAGE, ...cursor }),
      (page) => page.workspaces,
    ),
    listAll(
      (cursor) => client.tokens.list({ organization: org, limit: PAGE, ...cursor }),
      (page) => page.tokens,
    ),
  ]);
  const names = new Map([
    ...tokens.map(({ id, name }) => [id, name] as const),
    ...workspaces.map(({ id, slug }) => [id, slug] as const),
    ...members.map(({ user, email }) => [user, email] as const),
  ]);
  const ids = new Map([...names].map(([id, name]) => [name.toLowerCase(), id]));
  return {
    nameOf: (id) => names.get(id) ?? id,
    idOf: (given) => (given === undefined ? undefined : (ids.get(given.toLowerCase()) ?? given)),
  };
}
