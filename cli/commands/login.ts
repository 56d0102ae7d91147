import type { Command } from 'commander';
import { checkTokenText, chooseUrl } from '../account.ts';
import { request } from '../api/send.ts';
import { configDirectory } from '../config-directory.ts';
import {
  isSame,
  readCredentials,
  type StoredAccount,
  withAccount,
  withSession,
  writeCredentials,
} from '../credentials.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { describeToken } from '../describe-token.ts';
import { EXIT } from '../exit-codes.ts';
import { Failure, usage } from '../failure.ts';
import { asSentence } from '../join-texts.ts';
import { checkToken } from '../login/check-token.ts';
import { mintToken } from '../login/mint-token.ts';
import { requestSession } from '../login/request-session.ts';

interface Options extends Common {
  readonly token?: string;
  readonly organization?: string;
  readonly workspace?: string;
  readonly name?: string;
  readonly days: string;
  readonly browser: boolean;
}

export function addLogin(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'login',
    summary: 'Sign in by approving a code in the browser, beside the sign-ins that there are',
    example: 'servicectl login --url http://localhost:4000',
  })
    .option(
      '--token <token>',
      'store this connect token instead, for machines without a browser (- reads it from standard input)',
    )
    .option('--organization <organization>', 'organization, by ID or slug, if you belong to several')
    .option('--workspace <workspace>', 'restrict the token to one workspace, by ID or slug')
    .option('--name <name>', 'name of the token in your list of tokens (default: servicectl on <host name>)')
    .option('--days <days>', 'lifetime of the token, 1 to 365 days', '90')
    .option('--no-browser', 'print the address instead of opening it')
    .action((options: Options) => login(cli, options));
}

async function login(cli: Cli, options: Options): Promise<void> {
  const { host, output } = cli;
  const directory = configDirectory(host);
  const before = await readCredentials(directory);
  const url = chooseUrl(host, options.url, before.accounts);
  const account =
    options.token === undefined
      ? await loginAsPerson(cli, url, options)
      : await loginWithToken(cli, url, options.token);
  await writeCredentials(directory, withAccount(withSession(before, account), account));
  await revokeReplaced(
    before.accounts.find((one) => isSame(one, account)),
    account,
  );
  const described = describeToken(account.token);
  if (options.json)
    output.json({
      url,
      organization: account.organization ?? described?.organization ?? null,
      scopes: described?.scopes ?? [],
      expiresAt: account.expiresAt ?? null,
    });
  else
    output.say(
      asSentence(`Signed in to ${url}${account.organization ? ` as a member of ${account.organization.name}` : ''}`),
    );
  if (host.environment['SERVICE_TOKEN'])
    output.say('SERVICE_TOKEN is set and takes precedence: unset it to use this sign-in.');
}

async function loginAsPerson(cli: Cli, url: string, options: Options): Promise<StoredAccount> {
  const days = Number(options.days);
  if (!Number.isInteger(days) || days < 1 || days > 365) throw usage('--days takes a number from 1 to 365');
  const session = await requestSession(cli, url, { browser: options.browser });
  const { organization, workspace, name } = options;
  return mintToken(cli, url, session, { days, organization, workspace, name });
}

/** Tokens that nothing refers to do not accumulate. */
async function revokeReplaced(old: StoredAccount | undefined, { url, session, tokenId }: StoredAccount): Promise<void> {
  if (old?.tokenId === undefined || session === undefined || old.tokenId === tokenId) return;
  await request(url, `/api/tokens/${encodeURIComponent(old.tokenId)}`, { method: 'DELETE', bearer: session }).catch(
    () => undefined,
  );
}

async function loginWithToken({ host }: Cli, url: string, given: string): Promise<StoredAccount> {
  const { readStdin } = await import('../read-input.ts');
  const token = checkTokenText((given === '-' ? await readStdin(host) : given).trim(), '--token');
  const described = describeToken(token);
  if (!described)
    throw new Failure('this is not a connect token', {
      exit: EXIT.usage,
      next: 'Create one in the web app under Workspaces → MCP Gateway → Tokens, or with POST /api/tokens.',
    });
  const { user, organization } = await checkToken(url, token);
  return {
    url,
    token,
    ...(described.expiresAt === undefined ? {} : { expiresAt: described.expiresAt }),
    ...(user ? { email: user.email } : {}),
    ...(organization ? { organization } : {}),
  };
}
