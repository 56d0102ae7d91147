import type { Command } from 'commander';
import { chooseAccount, findAccount } from '../account.ts';
import { request } from '../api/send.ts';
import { configDirectory } from '../config-directory.ts';
import { nameOf, readCredentials, type StoredAccount, withoutAccount, writeCredentials } from '../credentials.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { usage } from '../failure.ts';

interface Options extends Common {
  readonly all?: boolean;
}

export function addLogout(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'logout [sign-in]',
    summary: 'Sign out: revoke the stored token, end the session and delete both (default: the sign-in in use)',
    brief: 'Sign out: revoke the stored token and delete the credentials',
    example: 'servicectl logout',
  })
    .option('--all', 'sign out everywhere: every sign-in that is stored on this machine')
    .action((name: string | undefined, options: Options) => logout(cli, name, options));
}

async function logout({ host, output }: Cli, name: string | undefined, options: Options): Promise<void> {
  if (name !== undefined && options.all) throw usage('use either --all or the name of a sign-in');
  const directory = configDirectory(host);
  const before = await readCredentials(directory);
  const environment = { ...host.environment, SERVICE_TOKEN: undefined };
  const { url, stored } = await findAccount({ ...host, environment }, options);
  const leaving = options.all
    ? before.accounts
    : [name === undefined ? stored : chooseAccount(before.accounts, name)].filter((one) => one !== undefined);
  // Credentials are deleted first, so that they are gone even if the service cannot be reached.
  const after = leaving.reduce(withoutAccount, before);
  await writeCredentials(directory, after);
  const ended = await Promise.all(leaving.map((one) => endAtService(one, after.accounts)));
  const [first] = leaving;
  if (options.json)
    return output.json({
      url: first?.url ?? url,
      signedOut: leaving.length > 0,
      endedAtService: leaving.length > 0 && ended.every(Boolean),
      signIns: leaving.map(nameOf),
    });
  if (leaving.length === 0) output.say(`You were not signed in to ${url}.`);
  leaving.forEach((one, i) =>
    output.say(
      ended[i]
        ? `Signed out of ${one.url}.`
        : `Deleted the credentials for ${one.url}. The token is still valid: revoke it in the web app.`,
    ),
  );
  const [next] = after.accounts;
  if (leaving.length > 0 && next) output.say(`Commands now use ${nameOf(next)}.`);
}

/** A session that another sign-in uses goes on. */
async function endAtService(
  { url, session, tokenId }: StoredAccount,
  others: readonly StoredAccount[],
): Promise<boolean> {
  if (session === undefined) return false;
  try {
    const revoked =
      tokenId === undefined ||
      (await request(url, `/api/tokens/${encodeURIComponent(tokenId)}`, { method: 'DELETE', bearer: session })).ok;
    if (others.some((one) => one.session === session)) return revoked;
    const answer = await request(url, '/api/auth/sign-out', { method: 'POST', bearer: session, body: {} });
    return answer.ok || answer.status === 401;
  } catch {
    return false;
  }
}
