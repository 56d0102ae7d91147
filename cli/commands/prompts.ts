import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { inWorkspace } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';
import { organizationOf } from '../organization-of.ts';

interface ListOptions extends Common {
  readonly search?: string;
  readonly workspace?: string;
  readonly limit: string;
  readonly cursor?: string;
}

const PAGE_MAX = 200;
const STDIN = '-';

export function addPrompts(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'prompts',
    summary: 'Saved prompts: list (the default), show, create, delete. In a chat, /name uses one',
    example: 'servicectl prompts create translate "Translate into {{language:German}}:"',
  });
  defineCommand(group, {
    name: 'list',
    summary: 'List the prompts that you can use: your own, and those of your workspaces',
    example: 'servicectl prompts list --search review',
    isDefault: true,
  })
    .option('--search <text>', 'only prompts whose name or text contains this')
    .option('--workspace <workspace>', 'only prompts shared in this workspace, by ID or slug')
    .option('--limit <count>', `how many to show, at most ${PAGE_MAX}`, '50')
    .option('--cursor <cursor>', 'continue from the previous page')
    .action((options: ListOptions) => list(cli, options));
  defineCommand(group, {
    name: 'show <prompt>',
    summary: 'Print the text of a prompt, by name or ID',
    example: 'servicectl prompts show translate',
  }).action((prompt: string, options: Common) => show(cli, prompt, options));
  defineCommand(group, {
    name: 'create <name> [text...]',
    summary: 'Save a prompt; - reads its text from standard input',
    example: 'servicectl prompts create review "Review this change:" --workspace research',
  })
    .option('--workspace <workspace>', 'share it in this workspace, by ID or slug (default: for yourself)')
    .action((name: string, words: string[], options: Common & { workspace?: string }) =>
      create(cli, name, words, options),
    );
  defineCommand(group, {
    name: 'delete <prompt>',
    summary: 'Delete a prompt, by name or ID',
    example: 'servicectl prompts delete review --yes',
  })
    .option('--yes', 'do not ask for confirmation')
    .action((prompt: string, options: Common & { yes?: boolean }) => remove(cli, prompt, options));
}

async function open({ host }: Cli, options: Common) {
  const account = await findAccount(host, options);
  const { webClient } = await import('../api/typed-clients.ts');
  return { account, prompts: webClient(account).prompts };
}

async function list(cli: Cli, { limit: given, cursor, ...options }: ListOptions): Promise<void> {
  const limit = Number(given);
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX)
    throw usage(`--limit takes a whole number from 1 to ${PAGE_MAX}`);
  const { account, prompts } = await open(cli, options);
  const found = await prompts.list({
    organization: organizationOf(account),
    limit,
    ...inWorkspace(options.workspace),
    ...(options.search === undefined ? {} : { search: options.search }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  if (options.json) return cli.output.json(found);
  if (found.prompts.length === 0)
    cli.output.say('No prompts match. To save one: servicectl prompts create <name> <text>');
  cli.output.table(
    ['NAME', 'SHARED IN', 'BY', 'TEXT'],
    found.prompts.map(({ name, workspace, createdBy, text }) => [
      name,
      workspace?.slug ?? '-',
      createdBy.name,
      text.replaceAll(/\s+/g, ' '),
    ]),
  );
  if (found.cursor !== undefined) cli.output.say(`To see more: servicectl prompts list --cursor ${found.cursor}`);
}

async function show({ host, output }: Cli, name: string, options: Common): Promise<void> {
  const account = await findAccount(host, options);
  const { findPrompt } = await import('../prompts/find-prompt.ts');
  const prompt = await findPrompt(account, name);
  if (options.json) return output.json({ prompt });
  output.line(prompt.text);
}

async function create(
  cli: Cli,
  name: string,
  words: readonly string[],
  options: Common & { workspace?: string },
): Promise<void> {
  const piped = words.includes(STDIN) ? await (await import('../read-input.ts')).readStdin(cli.host) : '';
  const text = [words.filter((word) => word !== STDIN).join(' '), piped.trimEnd()].filter(Boolean).join('\n\n');
  if (text.trim() === '')
    throw usage('the prompt has no text', 'For example: servicectl prompts create review "Review this change:"');
  const { account, prompts } = await open(cli, options);
  const { prompt } = await prompts.create({
    organization: organizationOf(account),
    name,
    text,
    ...inWorkspace(options.workspace),
  });
  if (options.json) return cli.output.json({ prompt });
  cli.output.say(`Saved. To use it: servicectl chat /${prompt.name}`);
}

async function remove(cli: Cli, name: string, options: Common & { yes?: boolean }): Promise<void> {
  const { host, output } = cli;
  const { account, prompts } = await open(cli, options);
  const { findPrompt } = await import('../prompts/find-prompt.ts');
  const prompt = await findPrompt(account, name);
  if (!options.yes) {
    if (!output.interactive || options.json) throw usage('this needs --yes when it cannot ask for confirmation');
    const { ask } = await import('../ask.ts');
    const where = prompt.workspace === undefined ? '' : ` for everyone in ${prompt.workspace.name}`;
    if (!/^y(es)?$/i.test(await ask(host, `Delete the prompt ${prompt.name}${where}? (y/N) `)))
      throw new Failure('nothing was deleted', { error: 'not_confirmed', next: 'Nothing was changed.' });
  }
  await prompts.remove({ prompt: prompt.id });
  if (options.json) return output.json({ deleted: prompt.id });
  output.say(`Deleted the prompt ${prompt.name}.`);
}
