import { type Account, findAccount } from './account.ts';
import type { WebClient } from './api/typed-clients.ts';
import type { Cli, Common } from './define-command.ts';
import { Failure } from './failure.ts';

/** The organization that the user signed in to, which the web server's routes need. */
export function organizationOf({ stored }: Account): string {
  const id = stored?.organization?.id;
  if (id === undefined)
    throw new Failure('you are signed in without an organization', {
      next: 'Run: servicectl login --organization <organization>',
    });
  return id;
}

/** The signed-in user's client, and the organization. */
export async function openOrganization(
  { host }: Cli,
  options: Common,
): Promise<{ readonly account: Account; readonly client: WebClient; readonly org: string }> {
  const account = await findAccount(host, options);
  const { webClient } = await import('./api/typed-clients.ts');
  const client = webClient(account);
  return { account, client, org: organizationOf(account) };
}
