import type { Command } from 'commander';
import { type Account, findAccount } from '../account.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { usage } from '../failure.ts';
import { openBrowser } from '../open-browser.ts';

interface Options extends Common {
  readonly browser: boolean;
}

/** Pages by their short name. */
export const PAGES = {
  home: '/',
  chat: '/chat',
  runs: '/runs',
  apps: '/integrations',
  workspaces: '/workspaces',
  receipts: '/receipts',
  account: '/account',
  members: '/organization/settings/members',
  keys: '/organization/settings/byok',
  models: '/organization/settings/models',
  guardrails: '/organization/settings/guardrails',
  policies: '/organization/settings/policies',
  tools: '/organization/settings/tools',
  plan: '/organization/settings/plan',
  'api-docs': '/docs/api',
} as const;

/** Patterns of IDs and streams, and the page of each. */
const THINGS: readonly (readonly [RegExp, (thing: string) => string])[] = [
  [/^job_[\w-]+$/, (id) => `/runs/${id}`],
  [/^thr[a-z]*_[\w-]+$/, (id) => `/chat/${id}`],
  [/^(?:connect|jobs|organization)\/[\w-]+$/, (stream) => `/receipts/${encodeURIComponent(stream)}`],
  [/^workspace:[a-z0-9-]+$/, (thing) => `/workspaces/${thing.slice('workspace:'.length)}`],
];

export function addOpen(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'open [thing]',
    summary: `Open a page in the browser: a run or chat by ID, a receipt stream, workspace:<slug>, or ${Object.keys(PAGES).join(', ')}`,
    brief: 'Open a page of the web app in the browser',
    example: 'servicectl open job_01k…',
  })
    .option('--no-browser', 'print the address instead of opening it')
    .action((thing: string | undefined, options: Options) => open(cli, thing ?? 'home', options));
}

async function open({ host, output }: Cli, thing: string, options: Options): Promise<void> {
  const address = addressOf(await findAccount(host, options), thing);
  // In a pipe the address is printed.
  const opened = options.browser && output.watched && !options.json && (await openBrowser(address));
  if (options.json) return output.json({ url: address });
  if (opened) output.say(`Opened ${address}`);
  else output.line(address);
}

function addressOf({ url, stored }: Account, thing: string): string {
  const path = Object.hasOwn(PAGES, thing)
    ? PAGES[thing as keyof typeof PAGES]
    : THINGS.find(([form]) => form.test(thing))?.[1](thing);
  if (path === undefined)
    throw usage(
      'there is no page for this',
      `Use the ID of a run or chat, a stream, workspace:<slug>, or one of: ${Object.keys(PAGES).join(', ')}`,
    );
  const organization = stored?.organization?.slug;
  return `${url}${path}${organization === undefined || thing === 'api-docs' ? '' : `?org=${encodeURIComponent(organization)}`}`;
}
