// Configures command-line clients in a run's sandbox from the usable connections of its workspace. Credentials stay outside
// where possible: brokers hold the tokens, and files hold placeholders. The two exceptions, AWS and Google Cloud, use
// credentials that expire.
import { AppError } from '../../base/errors.ts';
import { isPrivateHost } from '../../net/private-address.ts';
import { CloudError } from '../../clouds/cloud-error.ts';
import { listConnections } from '../../connections/find-connection.ts';
import { TIME_LIMIT_MS } from '../../sandbox/limits.ts';
import type { RunAttempt } from '../../runs/delivery/engine.ts';
import { connectScopes } from '../../runs/record/run-authority.ts';
import { mergeSetups } from '../merge-setups.ts';
import { openKeptCheckout } from '../repository/kept-checkouts.ts';
import { describeCheckout, findWished, planCheckout, unavailable } from '../repository/plan-checkout.ts';
import type { SandboxSetup } from '../run-sandbox.ts';
import { type ClientAccount, type Client, type LeftOut, nameOf, selectAccounts } from './accounts.ts';
import { awsConfig, CREDENTIAL_BROKER, credentialPath } from './aws-config.ts';
import type { ClientDeps } from './client-deps.ts';
import { AWS_HOSTS, GCLOUD_HOSTS } from './cloud-hosts.ts';
import { CODE_HOSTS, githubApiHost, githubApiPaths, gitPaths } from './code-hosts.ts';
import { describeClients } from './describe-clients.ts';
import { databricksConfig, findDatabricksHost } from './databricks-config.ts';
import { gcloudConfig } from './gcloud-config.ts';
import { ghConfig, gitConfig } from './git-config.ts';
import { type ReadToken, readToken } from './read-token.ts';
import { isStillMember, type RunScope } from './run-scope.ts';
import { serveCredentials } from './serve-credentials.ts';

type Broker = NonNullable<NonNullable<SandboxSetup['network']>['brokers']>[number];
type Held = ClientAccount & ReadToken;

const ENDPOINT_LIFE_MS = TIME_LIMIT_MS + 5 * 60_000;
const GIT_BUDGET = { maxRequests: 5_000, maxBytes: 4 * 1024 ** 3 };

export function createPrepareClients(deps: ClientDeps): (attempt: RunAttempt) => Promise<SandboxSetup> {
  return async (run) => {
    const { organizationId, workspaceId, createdBy: userId } = run.run;
    if (organizationId === undefined || workspaceId === undefined || userId === undefined) return {};
    const scopes = connectScopes(run.run);
    const wish = await deps.findRepository(run.run);
    if (scopes.length === 0 && wish !== undefined)
      throw unavailable(wish, 'the run was started with a token that may not use connected apps');
    if (scopes.length === 0) return {};
    const mayWrite = scopes.includes('connect:write');
    const scope: RunScope = { organizationId, workspaceId, userId };
    const connections = await listConnections(deps.db, scope);
    const wished = wish && findWished(connections, wish);
    const { accounts, leftOut } = selectAccounts(connections, deps.catalog, {
      capabilities: run.run.capabilities,
      mayWrite,
      needed: wished?.id,
    });
    if (accounts.length > 0 && !(await isStillMember(deps.db, scope)))
      throw new AppError('workspace_membership_required');
    const of = (client: Client): ClientAccount[] => accounts.filter((account) => account.client === client);
    const held = await readTokens(
      deps,
      accounts.filter(({ client }) => client !== 'aws'),
      leftOut,
      run.signal,
    );
    const having = (client: Client): Held[] => held.filter((account) => account.client === client);
    const setups = [
      await awsSetup(deps, scope, of('aws'), run.signal),
      databricksSetup(having('databricks'), leftOut, mayWrite),
      gcloudSetup(having('gcloud')),
      codeHostSetup(deps, having('git'), leftOut),
    ];
    const missing = new Set(leftOut.map(({ connection }) => connection));
    const there = accounts.filter(({ connection }) => !missing.has(nameOf(connection)));
    const profiles = there.map(({ connection, profile }) => `${connection.provider}:${profile}`);
    if (profiles.length + leftOut.length > 0)
      await run.progress({
        type: 'clients',
        profiles,
        ...(leftOut.length > 0 ? { leftOut: leftOut.map(({ connection, reason }) => ({ connection, reason })) } : {}),
      });
    const checkout = wish && planCheckout(wish, wished, { accounts: having('git'), leftOut });
    const kept =
      checkout && deps.keptCheckouts && openKeptCheckout(deps.keptCheckouts, { organizationId, ...checkout });
    return mergeSetups(
      ...setups,
      describeClients(there),
      checkout === undefined
        ? {}
        : { checkout: { ...checkout, kept }, given: describeCheckout(checkout, run.run.deliver) },
    );
  };
}

/** An account whose token cannot be read is left out. */
async function readTokens(
  deps: ClientDeps,
  accounts: readonly ClientAccount[],
  leftOut: LeftOut[],
  signal: AbortSignal,
): Promise<Held[]> {
  const read = await Promise.all(
    accounts.map((account) =>
      readToken(deps, account, signal).then(
        (token): Held => ({ ...account, ...token }),
        (error: unknown) => {
          if (!(error instanceof CloudError))
            deps.log.warn(
              { connection: account.connection.id, err: error },
              'could not read the credential of a connection for a run',
            );
          leftOut.push({
            connection: nameOf(account.connection),
            reason: error instanceof CloudError ? error.message : 'its credential could not be read',
          });
          return undefined;
        },
      ),
    ),
  );
  signal.throwIfAborted();
  return read.filter((one) => one !== undefined);
}

async function awsSetup(
  deps: ClientDeps,
  scope: RunScope,
  accounts: readonly ClientAccount[],
  signal: AbortSignal,
): Promise<SandboxSetup> {
  if (accounts.length === 0) return {};
  const endpoint = await deps.callbacks.open(serveCredentials(deps, scope, accounts, signal), ENDPOINT_LIFE_MS);
  const broker: Broker = {
    host: CREDENTIAL_BROKER,
    target: endpoint.url,
    headers: { ...endpoint.headers },
    paths: accounts.map(({ profile }) => `GET ${credentialPath(profile)}`),
    maxRequests: 5_000,
  };
  return { ...awsConfig(accounts), network: { allow: [...AWS_HOSTS], brokers: [broker] } };
}

function databricksSetup(accounts: readonly Held[], leftOut: LeftOut[], mayWrite: boolean): SandboxSetup {
  const found = accounts.flatMap((account) => {
    const host = findDatabricksHost(account.settings);
    if (host === undefined)
      leftOut.push({ connection: nameOf(account.connection), reason: 'its settings name no Databricks host' });
    return host === undefined ? [] : [{ ...account, host, broker: `${account.label}.broker` }];
  });
  if (found.length === 0) return {};
  const brokers = found.map(({ broker, host, token }): Broker => ({
    host: broker,
    target: `https://${host}`,
    headers: { authorization: `Bearer ${token}` },
    paths: [mayWrite ? '/*' : 'GET /*'],
    publicOnly: true,
    maxRequests: 5_000,
  }));
  return { ...databricksConfig(found), network: { brokers } };
}

function gcloudSetup(accounts: readonly Held[]): SandboxSetup {
  if (accounts.length === 0) return {};
  return {
    ...gcloudConfig(accounts.map((account) => ({ ...account, project: projectOf(account.settings) }))),
    network: { allow: [...GCLOUD_HOSTS] },
  };
}

function projectOf(settings: Readonly<Record<string, string>>): string | undefined {
  const project = settings['project'] ?? settings['projectId'];
  return project !== undefined && /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/.test(project) ? project : undefined;
}

function codeHostSetup({ allowPrivate }: ClientDeps, accounts: readonly Held[], leftOut: LeftOut[]): SandboxSetup {
  const brokers: Broker[] = [];
  const remotes: { host: string; broker: string; profile: string; isDefault: boolean }[] = [];
  const ghHosts: string[] = [];
  // The default connection comes first: a client that can have only one account per host gets that one.
  for (const account of accounts.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))) {
    const { connection, label, token, profile, isDefault } = account;
    const known = CODE_HOSTS[connection.provider];
    const { repositories } = connection.policy;
    const [host, paths] = [account.host ?? known?.host, gitPaths(repositories)];
    if (known === undefined || host === undefined || paths.length === 0) {
      leftOut.push({ connection: nameOf(connection), reason: 'no repository is selected' });
      continue;
    }
    const publicOnly = !allowPrivate;
    const origin = (name: string): string =>
      `${allowPrivate && isPrivateHost(name.replace(/:\d+$/, '')) ? 'http' : 'https'}://${name}`;
    const basic = `Basic ${Buffer.from(`${known.user}:${token}`).toString('base64')}`;
    brokers.push({
      host: `${label}.broker`,
      target: origin(host),
      headers: { authorization: basic },
      paths,
      publicOnly,
      ...GIT_BUDGET,
    });
    remotes.push({ host, broker: `${label}.broker`, profile, isDefault });
    // gh does not accept a host with a port.
    if (connection.provider !== 'github' || host.includes(':') || ghHosts.includes(host)) continue;
    const api = githubApiPaths(host, repositories);
    brokers.push({
      host: githubApiHost(host),
      target: origin(githubApiHost(host)),
      headers: { authorization: `token ${token}` },
      ...api,
      publicOnly,
      ...GIT_BUDGET,
    });
    ghHosts.push(host);
  }
  if (remotes.length === 0) return {};
  return mergeSetups({ ...gitConfig(remotes), network: { brokers } }, ghHosts.length === 0 ? {} : ghConfig(ghHosts));
}
