// Creates the connect token that servicectl stores for an organization, using the user's session.
import { hostname } from 'node:os';
import type { Account } from '../account.ts';
import type { WebClient } from '../api/typed-clients.ts';
import type { StoredAccount } from '../credentials.ts';
import type { Cli } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';

export interface TokenWish {
  readonly days: number;
  readonly organization: string | undefined;
  readonly workspace: string | undefined;
  readonly name: string | undefined;
}

type Organization = Awaited<ReturnType<WebClient['me']>>['organizations'][number];

export async function mintToken(cli: Cli, url: string, session: string, wish: TokenWish): Promise<StoredAccount> {
  const [{ webClient }, { SCOPES }] = await Promise.all([
    import('../api/typed-clients.ts'),
    import('../../src/contract/tokens.ts'),
  ]);
  const account: Account = { url, source: 'login', token: undefined, session, stored: undefined };
  const client = webClient(account);
  const { user, organizations } = await client.me();
  const { id, slug, name } = await chooseOrganization(cli, url, organizations, wish.organization);
  const minted = await client.tokens.create({
    name: wish.name ?? `servicectl on ${hostname()}`.slice(0, 100),
    organization: id,
    ...(wish.workspace === undefined ? {} : { workspace: wish.workspace }),
    scopes: [...SCOPES],
    expiresIn: `${wish.days}d`,
  });
  return {
    url,
    session,
    token: minted.token,
    tokenId: minted.id,
    expiresAt: minted.expiresAt,
    email: user.email,
    organization: { id, slug, name },
  };
}

async function chooseOrganization(
  { host, output }: Cli,
  url: string,
  mine: readonly Organization[],
  wanted: string | undefined,
): Promise<Organization> {
  const [first] = mine;
  if (!first)
    throw new Failure('you do not belong to any organization yet', {
      next: `Create one at ${url} or accept an invitation, then run servicectl login again.`,
    });
  const names = mine.map(({ slug }) => slug).join(', ');
  if (wanted !== undefined) {
    const found = mine.find(({ id, slug }) => id === wanted || slug === wanted);
    if (!found) throw usage(`you do not belong to an organization '${wanted}'`, `You belong to: ${names}`);
    return found;
  }
  if (mine.length === 1) return first;
  if (!output.interactive)
    throw usage('you belong to several organizations', `Choose one with --organization: ${names}`);
  const { ask } = await import('../ask.ts');
  const answer = await ask(host, `Organization (${names}) [${first.slug}]: `);
  const found = answer === '' ? first : mine.find(({ slug }) => slug === answer);
  if (!found) throw usage(`you do not belong to an organization '${answer}'`, `You belong to: ${names}`);
  return found;
}
