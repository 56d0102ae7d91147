import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { request } from '../api/send.ts';
import { configDirectory } from '../config-directory.ts';
import { readCredentials, withoutAccount, writeCredentials } from '../credentials.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';

export function addLogout(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'logout',
    summary: 'Sign out: revoke the stored token, end the session and delete both',
    example: 'servicectl logout',
  }).action((options: Common) => logout(cli, options));
}

async function logout({ host, output }: Cli, options: Common): Promise<void> {
  const environment = { ...host.environment, SERVICE_TOKEN: undefined };
  const { url, session, stored } = await findAccount({ ...host, environment }, options);
  // Credentials are deleted first, so that they are gone even if the service cannot be reached.
  const directory = configDirectory(host);
  await writeCredentials(directory, withoutAccount(await readCredentials(directory), url));
  const ended = session !== undefined && (await endAtService(url, session, stored?.tokenId));
  if (options.json) output.json({ url, signedOut: stored !== undefined, endedAtService: ended });
  else if (!stored) output.say(`You were not signed in to ${url}.`);
  else
    output.say(
      ended
        ? `Signed out of ${url}.`
        : `Deleted the credentials for ${url}. The token is still valid: revoke it in the web app.`,
    );
}

async function endAtService(url: string, session: string, tokenId: string | undefined): Promise<boolean> {
  try {
    if (tokenId !== undefined)
      await request(url, `/api/tokens/${encodeURIComponent(tokenId)}`, { method: 'DELETE', bearer: session });
    const answer = await request(url, '/api/auth/sign-out', { method: 'POST', bearer: session, body: {} });
    return answer.ok || answer.status === 401;
  } catch {
    return false;
  }
}
