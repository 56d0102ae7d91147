import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { type ListedConnection, inWorkspace, normalizeName, openConnect, selectorOf } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, WORKSPACE } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';
import { openBrowser } from '../open-browser.ts';

interface Options extends Common {
  readonly name?: string;
  readonly workspace?: string;
  readonly browser: boolean;
  readonly timeout: string;
}

const LOOK_EVERY_MS = 2_000;

export function addConnect(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'connect <provider>',
    summary: 'Connect or reconnect an app: opens a link and waits until it is connected',
    example: 'servicectl connect github --name work',
  })
    .option(
      '--name <name>',
      'name of the connection, for a second account of the same app; without it no name is sent, and the connection is "default"',
    )
    .option('--no-browser', 'print the link instead of opening it')
    .option('--timeout <seconds>', 'how long to wait; 0 prints the link and exits', '900')
    .option(...WORKSPACE)
    .action((provider: string, options: Options) => connect(cli, provider, options));
}

async function connect({ host, output }: Cli, given: string, options: Options): Promise<void> {
  // Other commands take `github:work`, so this one does too.
  const [provider = '', ...rest] = given.split(':');
  const wished = options.name ?? (rest.length === 0 ? undefined : rest.join(':'));
  const seconds = Number(options.timeout);
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > 86_400) throw usage('--timeout takes a number of seconds');
  const api = await openConnect(await findAccount(host, options));
  const place = inWorkspace(options.workspace);
  const name = normalizeName(wished);
  const find = async (): Promise<ListedConnection | undefined> =>
    (await api.list(place)).connections.find((one) => one.provider === provider && one.name === name);
  const before = await find();
  const session = await api.openSession({ provider, ...place, ...(wished === undefined ? {} : { name: wished }) });
  if (seconds === 0) return options.json ? output.json(session) : output.line(session.connectLink);
  output.say(`Open this link to connect ${provider}:\n\n  ${session.connectLink}\n`);
  if (options.browser && output.interactive) await openBrowser(session.connectLink);

  const done = output.progress('Waiting for the connection …');
  const deadline = Math.min(Date.now() + seconds * 1_000, Date.parse(session.expiresAt));
  try {
    while (Date.now() < deadline) {
      await sleep(Math.min(LOOK_EVERY_MS, Math.max(deadline - Date.now(), 1)));
      const now = await find();
      if (!now || now.status !== 'valid' || now.updatedAt === before?.updatedAt) continue;
      done();
      return options.json ? output.json({ connection: now }) : output.say(`Connected ${selectorOf(now)}.`);
    }
  } finally {
    done();
  }
  throw new Failure(`${provider} was not connected in time`, {
    error: 'connect_timeout',
    next: `Run servicectl connect ${given} again and finish in the browser.`,
  });
}
