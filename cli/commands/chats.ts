import { type Command, Option } from 'commander';
import { type Account, findAccount, requireSession } from '../account.ts';
import { inWorkspace } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';
import { organizationOf } from '../organization-of.ts';
import { printable } from '../output.ts';
import { addImport } from '../chat/import-chats.ts';

interface ListOptions extends Common {
  readonly title?: string;
  readonly archived?: boolean;
  readonly workspace?: string;
  readonly limit: string;
  readonly cursor?: string;
}

interface ExportOptions extends Common {
  readonly format: 'markdown' | 'json';
  readonly output?: string;
  readonly force?: boolean;
}

const PAGE_MAX = { list: 200, search: 50 } as const;
const WORKSPACE_FILTER = ['--workspace <workspace>', 'only chats of this workspace, by ID or slug'] as const;
const CURSOR = ['--cursor <cursor>', 'continue from the previous page'] as const;

export function addChats(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'chats',
    summary:
      'Your chats in the web app: list (the default), search, export, import, rename, pin, archive, share, delete',
    example: 'servicectl chats search invoice',
  });
  addReading(group, cli);
  addChanges(group, cli);
  addImport(group, cli);
}

function addReading(group: Command, cli: Cli): void {
  defineCommand(group, {
    name: 'list',
    summary: 'List your chats: pinned ones, then the others, latest first',
    example: 'servicectl chats list --title plans',
    isDefault: true,
  })
    .option('--title <text>', 'only chats whose title contains this')
    .option('--archived', 'list archived chats instead')
    .option(...WORKSPACE_FILTER)
    .option('--limit <count>', `how many to show, at most ${PAGE_MAX.list}`, '50')
    .option(...CURSOR)
    .action((options: ListOptions) => list(cli, options));
  defineCommand(group, {
    name: 'search <words...>',
    summary: 'Find messages that contain every word, in any of its English or German forms',
    example: 'servicectl chats search deployment plan',
  })
    .option(...WORKSPACE_FILTER)
    .option('--limit <count>', `how many to show, at most ${PAGE_MAX.search}`, '20')
    .option(...CURSOR)
    .action((words: string[], options: ListOptions) => search(cli, words.join(' '), options));
  defineCommand(group, {
    name: 'export <chat>',
    summary: 'Print a whole chat, or write it to a file',
    example: 'servicectl chats export thr_01k… --output plans.md',
  })
    .addOption(new Option('--format <format>', 'output format').choices(['markdown', 'json']).default('markdown'))
    .option('--output <file>', 'where to write it (default: standard output)')
    .option('--force', 'with --output: overwrite an existing file')
    .action((chat: string, options: ExportOptions) => exportChat(cli, chat, options));
}

function addChanges(group: Command, cli: Cli): void {
  defineCommand(group, {
    name: 'rename <chat> <title>',
    summary: 'Rename a chat',
    example: 'servicectl chats rename thr_01k… "Release plan"',
  }).action((chat: string, title: string, options: Common) => change(cli, chat, { title }, options));
  const switches = [
    { name: 'pin', summary: 'Pin a chat', change: { pinned: true } },
    { name: 'unpin', summary: 'Unpin a chat', change: { pinned: false } },
    { name: 'archive', summary: 'Archive a chat', change: { archived: true } },
    { name: 'restore', summary: 'Restore an archived chat', change: { archived: false } },
  ] as const;
  for (const one of switches)
    defineCommand(group, {
      name: `${one.name} <chat>`,
      summary: one.summary,
      example: `servicectl chats ${one.name} thr_01k…`,
    }).action((chat: string, options: Common) => change(cli, chat, one.change, options));
  defineCommand(group, {
    name: 'share <chat>',
    summary: 'Share a copy of a chat with its workspace, or update the copy; prints the link',
    example: 'servicectl chats share thr_01k…',
  })
    .option('--stop', 'take the link back')
    .action((chat: string, options: Common & { stop?: boolean }) => share(cli, chat, options));
  defineCommand(group, {
    name: 'delete <chat...>',
    summary: 'Delete chats with their messages and attachments',
    example: 'servicectl chats delete thr_01k… --yes',
  })
    .option('--yes', 'do not ask for confirmation')
    .action((chats: string[], options: Common & { yes?: boolean }) => remove(cli, chats, options));
}

async function open({ host }: Cli, options: Common) {
  const account: Account = await findAccount(host, options);
  const { webClient } = await import('../api/typed-clients.ts');
  return { account, threads: webClient(account).threads, organization: organizationOf(account) };
}

function pageOf({ limit: given, cursor }: ListOptions, most: number): { limit: number; cursor?: string } {
  const limit = Number(given);
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    throw usage(`--limit takes a whole number from 1 to ${most}`);
  return { limit, ...(cursor === undefined ? {} : { cursor }) };
}

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const page = pageOf(options, PAGE_MAX.list);
  const { threads, organization } = await open(cli, options);
  const found = await threads.list({
    organization,
    ...inWorkspace(options.workspace),
    ...(options.title === undefined ? {} : { search: options.title }),
    ...(options.archived ? { show: 'archived' as const } : {}),
    ...page,
  });
  if (options.json) return cli.output.json(found);
  if (found.threads.length === 0) cli.output.say('No chats match.');
  cli.output.table(
    ['CHAT', 'UPDATED', 'MARKS', 'TITLE'],
    found.threads.map(({ id, updatedAt, title, pinned, archived, shared }) => [
      id,
      updatedAt,
      [pinned && 'pinned', archived && 'archived', shared && 'shared'].filter(Boolean).join(' ') || '-',
      title,
    ]),
  );
  if (found.cursor !== undefined) cli.output.say(`To see more: servicectl chats list --cursor ${found.cursor}`);
}

async function search(cli: Cli, q: string, options: ListOptions): Promise<void> {
  const page = pageOf(options, PAGE_MAX.search);
  const { threads, organization } = await open(cli, options);
  const found = await threads.search({ organization, q, ...inWorkspace(options.workspace), ...page });
  if (options.json) return cli.output.json(found);
  if (found.results.length === 0) cli.output.say('No messages contain all of these words.');
  cli.output.table(
    ['CHAT', 'AT', 'BY', 'TITLE', 'TEXT'],
    found.results.map(({ thread, message, snippet }) => [
      thread.id,
      message.createdAt,
      message.role === 'user' ? 'you' : 'answer',
      thread.title,
      snippet.map(({ text }) => text).join(''),
    ]),
  );
  if (found.cursor !== undefined) cli.output.say(`To see more, add: --cursor ${found.cursor}`);
}

async function exportChat(
  { host, output }: Cli,
  chat: string,
  { format, output: file, force, json, ...options }: ExportOptions,
): Promise<void> {
  if (force && file === undefined) throw usage('--force needs --output');
  const account = await findAccount(host, options);
  const { send } = await import('../api/send.ts');
  const { body } = await send(account.url, `/api/threads/${encodeURIComponent(chat)}/export?format=${format}`, {
    bearer: requireSession(account),
    accept: '*/*',
    stream: true,
  });
  if (!body) throw new Failure('the export is empty', { next: 'Try again.' });
  if (file === undefined || file === '-') {
    for await (const text of body.pipeThrough(new TextDecoderStream()))
      output.write(output.watched ? printable(text) : text);
    return;
  }
  const { writeNewFile } = await import('../write-new-file.ts');
  await writeNewFile(
    { file, replace: force === true, next: 'Choose another file, or overwrite this one with --force.' },
    async (write) => {
      for await (const piece of body) await write(piece);
    },
  );
  if (json) return output.json({ chat, file });
  output.say(`Wrote ${file}.`);
}

async function change(
  cli: Cli,
  chat: string,
  fields: { title?: string; pinned?: boolean; archived?: boolean },
  options: Common,
): Promise<void> {
  const { threads } = await open(cli, options);
  const { thread } = await threads.update({ thread: chat, ...fields });
  if (options.json) return cli.output.json({ thread });
  cli.output.say(`Changed “${thread.title}”.`);
}

async function share(cli: Cli, chat: string, options: Common & { stop?: boolean }): Promise<void> {
  const { account, threads } = await open(cli, options);
  if (options.stop) {
    await threads.share.remove({ thread: chat });
    return options.json ? cli.output.json({ chat, shared: false }) : cli.output.say('The link no longer works.');
  }
  const { share: made } = await threads.share.save({ thread: chat });
  const url = `${account.url}/shared/${made.id}`;
  if (options.json) return cli.output.json({ share: made, url });
  cli.output.line(url);
  cli.output.say('Members of the workspace of the chat can read it there as it is now.');
}

async function remove(cli: Cli, chats: readonly string[], options: Common & { yes?: boolean }): Promise<void> {
  const { host, output } = cli;
  const { threads, organization } = await open(cli, options);
  if (!options.yes) {
    if (!output.interactive || options.json) throw usage('this needs --yes when it cannot ask for confirmation');
    const { ask } = await import('../ask.ts');
    const what = chats.length === 1 ? 'this chat' : `${chats.length} chats`;
    const answer = await ask(host, `Delete ${what} for good? (y/N) `);
    if (!/^y(es)?$/i.test(answer.trim()))
      throw new Failure('nothing was deleted', { error: 'not_confirmed', next: 'Nothing was changed.' });
  }
  const { deleted } = await threads.removeMany({ organization, threads: [...chats] });
  if (options.json) return output.json({ deleted });
  if (deleted.length < chats.length)
    throw new Failure(`deleted ${deleted.length} of ${chats.length}: the others are not your chats`, {
      error: 'not_found',
      next: 'Run: servicectl chats',
    });
  output.say(deleted.length === 1 ? 'Deleted 1 chat.' : `Deleted ${deleted.length} chats.`);
}
