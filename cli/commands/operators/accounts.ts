// People and organizations of the whole deployment. Everything goes through the diagnostics, which record each act.
import type { Command } from 'commander';
import { confirm, YES } from '../../confirm.ts';
import { type Cli, defineCommand, defineGroup } from '../../define-command.ts';
import { usage } from '../../failure.ts';
import { listAll } from '../../list-all.ts';
import { askOperator, DEBUG_TOKEN, type OperatorOptions } from './ask-operator.ts';

interface Noun {
  readonly name: 'people' | 'organizations';
  readonly one: 'person' | 'organization';
  /** How one is named on the command line. */
  readonly named: string;
  readonly example: string;
  readonly columns: readonly string[];
  readonly acts: readonly ActName[];
  row(entry: Entry): string[];
}

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly createdAt: string;
  readonly lastSeenAt?: string;
  readonly erasedAt?: string;
  readonly email?: string;
  readonly slug?: string;
  readonly plan?: string;
  readonly members?: number;
  readonly organizations?: readonly { readonly slug: string; readonly role: string }[];
}

interface ActText {
  readonly summary: string;
  /** Asked before; those without are undone by another act. */
  readonly question?: string;
  readonly done: string;
}

const ACTS = {
  disable: {
    summary: 'Shut one at once: sessions, tokens, streams and runs end, everything else stays',
    question: 'Disable',
    done: 'is disabled',
  },
  enable: { summary: 'Open a disabled one again', done: 'is enabled' },
  'end-sessions': { summary: 'End all sessions, tokens and approved clients', done: 'is signed out everywhere' },
  'remove-codes': {
    summary: 'Remove the one-time and recovery codes of someone who has lost them',
    question: 'Remove the codes of',
    done: 'signs in without a code',
  },
  restore: { summary: 'Bring a deleted one back, until it is erased', done: 'is back' },
  delete: { summary: 'Shut one at once and erase it', question: 'Delete', done: 'is shut and will be erased' },
} as const satisfies Record<string, ActText>;
type ActName = keyof typeof ACTS;

const NOUNS: readonly Noun[] = [
  {
    name: 'people',
    one: 'person',
    named: 'ID or email address',
    example: 'jo@acme.example',
    columns: ['ID', 'NAME', 'EMAIL', 'STATE', 'ORGANIZATIONS'],
    acts: ['disable', 'enable', 'end-sessions', 'remove-codes', 'delete'],
    row: ({ id, name, email = '', state, organizations = [] }) => [
      id,
      name,
      email,
      state,
      organizations.map(({ slug, role }) => `${slug} (${role})`).join(', '),
    ],
  },
  {
    name: 'organizations',
    one: 'organization',
    named: 'ID or slug',
    example: 'acme',
    columns: ['ID', 'NAME', 'SLUG', 'STATE', 'PLAN', 'MEMBERS'],
    acts: ['disable', 'enable', 'end-sessions', 'delete', 'restore'],
    row: ({ id, name, slug = '', state, plan = '', members = 0 }) => [id, name, slug, state, plan, String(members)],
  },
];

export function addAccounts(admin: Command, cli: Cli): void {
  for (const noun of NOUNS) {
    const example = (act: string): string =>
      `SERVICE_DEBUG_TOKEN=<token> servicectl admin ${noun.name} ${act} ${noun.example}`;
    const group = defineGroup(admin, {
      name: noun.name,
      summary: `The ${noun.name} of the deployment: list, disable, sign out, delete`,
      example: example('show'),
    });
    defineCommand(group, {
      name: 'list',
      summary: `List the ${noun.name} of the deployment`,
      example: `SERVICE_DEBUG_TOKEN=<token> servicectl admin ${noun.name} list --query acme`,
    })
      .option('--query <text>', `only those whose name or ${noun.named} contains this`)
      .option(...DEBUG_TOKEN)
      .action((options: OperatorOptions & { query?: string }) => list(cli, noun, options));
    defineCommand(group, {
      name: `show <${noun.one}>`,
      summary: `Show one, by ${noun.named}`,
      example: example('show'),
    })
      .option(...DEBUG_TOKEN)
      .action((text: string, options: OperatorOptions) => show(cli, noun, text, options));
    for (const act of noun.acts) addAct(group, cli, { noun, act, example: example(act) });
    if (noun.name === 'people') addReset(group, cli, noun);
  }
  addActs(admin, cli);
}

function addAct(group: Command, cli: Cli, { noun, act, example }: { noun: Noun; act: ActName; example: string }): void {
  const { summary, done, question }: ActText = ACTS[act];
  const command = defineCommand(group, { name: `${act} <${noun.one}>`, summary, example }).option(...DEBUG_TOKEN);
  if (question !== undefined) command.option(...YES);
  command.action(async (text: string, options: OperatorOptions & { yes?: boolean }) => {
    const entry = await find(cli, noun, text, options);
    if (question !== undefined) await confirm(cli, `${question} ${titleOf(entry)}?`, options);
    const path = `${pathOf(noun)}/${entry.id}`;
    await askOperator(
      cli,
      options,
      act === 'delete' ? { method: 'DELETE', path } : { method: 'POST', path: `${path}/${act}`, body: {} },
    );
    if (options.json) cli.output.json({ ok: true, id: entry.id });
    else cli.output.say(`${titleOf(entry)} ${done}.`);
  });
}

function addReset(group: Command, cli: Cli, noun: Noun): void {
  defineCommand(group, {
    name: `reset-password <${noun.one}>`,
    summary: 'Print a link with which the person sets a new password; it works once',
    example: `SERVICE_DEBUG_TOKEN=<token> servicectl admin people reset-password ${noun.example}`,
  })
    .option(...DEBUG_TOKEN)
    .action(async (text: string, options: OperatorOptions) => {
      const { id, name, email } = await find(cli, noun, text, options);
      const answer = await askOperator<{ link: string; expiresAt: string }>(cli, options, {
        method: 'POST',
        path: `${pathOf(noun)}/${id}/reset-password`,
        body: {},
      });
      if (options.json) return cli.output.json(answer);
      cli.output.say(`Pass this link on to ${name} <${email ?? ''}>. It works once, until ${answer.expiresAt}:`);
      cli.output.line(answer.link);
    });
}

interface ActLine {
  readonly at: string;
  readonly operator: string;
  readonly act: string;
  readonly kind: string;
  readonly subject: string;
}

function addActs(admin: Command, cli: Cli): void {
  defineCommand(admin, {
    name: 'acts',
    summary: 'List what operators did to people and organizations, the latest first',
    example: 'SERVICE_DEBUG_TOKEN=<token> servicectl admin acts --limit 20',
  })
    .option('--limit <number>', 'how many (default: 50, at most 200)')
    .option(...DEBUG_TOKEN)
    .action(async ({ limit = '50', ...options }: OperatorOptions & { limit?: string }) => {
      const { acts } = await askOperator<{ acts: readonly ActLine[] }>(cli, options, {
        method: 'GET',
        path: `/service-debug/acts?${new URLSearchParams({ limit }).toString()}`,
      });
      if (options.json) return cli.output.json({ acts });
      cli.output.table(
        ['AT', 'OPERATOR', 'ACT', 'WHAT', 'ID'],
        acts.map(({ at, operator, act, kind, subject }) => [at, operator, act, kind, subject]),
      );
    });
}

async function list(cli: Cli, noun: Noun, { query, ...options }: OperatorOptions & { query?: string }): Promise<void> {
  const entries = await listAll(
    (cursor) => read(cli, noun, options, { ...(query === undefined ? {} : { query }), ...cursor }),
    (page) => page.entries,
  );
  if (options.json) return cli.output.json({ [noun.name]: entries });
  cli.output.table(
    [...noun.columns],
    entries.map((entry) => noun.row(entry)),
  );
}

async function show(cli: Cli, noun: Noun, text: string, options: OperatorOptions): Promise<void> {
  const entry = await find(cli, noun, text, options);
  if (options.json) return cli.output.json(entry);
  const { createdAt, lastSeenAt = '-', erasedAt = '-' } = entry;
  const [last, at] = noun.name === 'people' ? ['LAST SEEN', lastSeenAt] : ['ERASED', erasedAt];
  cli.output.table([...noun.columns, 'CREATED', last], [[...noun.row(entry), createdAt, at]]);
}

/** By the whole id, address or slug: what cannot be undone is never done to something that only resembles it. */
async function find(cli: Cli, noun: Noun, text: string, options: OperatorOptions): Promise<Entry> {
  const { entries } = await read(cli, noun, options, { query: text, limit: '200' });
  const found = entries.find(({ id, email, slug }) => [id, email, slug].includes(text.toLowerCase()));
  if (found) return found;
  const near = entries.slice(0, 3).map(({ email, slug }) => email ?? slug ?? '');
  throw usage(
    `there is no ${noun.one} ${text}`,
    near.length > 0
      ? `Name one by its ${noun.named}. Similar: ${near.join(', ')}.`
      : `List them with: servicectl admin ${noun.name} list`,
  );
}

async function read(
  cli: Cli,
  noun: Noun,
  options: OperatorOptions,
  query: Readonly<Record<string, string>>,
): Promise<{ entries: readonly Entry[]; cursor?: string | undefined }> {
  const answer = await askOperator<{ people?: Entry[]; organizations?: Entry[]; cursor?: string }>(cli, options, {
    method: 'GET',
    path: `${pathOf(noun)}?${new URLSearchParams(query).toString()}`,
  });
  return { entries: answer[noun.name] ?? [], cursor: answer.cursor };
}

const pathOf = ({ name }: Noun): string => `/service-debug/${name}`;
const titleOf = ({ name, email, slug }: Entry): string => `${name} (${email ?? slug ?? ''})`;
