// Compares the OAuth integrations at the provider with the operator's configuration. An integration is created or
// updated only with the credentials configured for it, or without any if the provider needs none. Credential-only
// connectors are left out: they are created on first use. The only integration ever deleted is that of an app's MCP
// server without a client: no one can have connected it, and a client cannot be added later.
import { isCredentialOnly, needsApplication } from '../catalog/auth-modes.ts';
import type { Catalog, Connector } from '../catalog/connector-types.ts';
import type { NangoClient } from '../nango/nango-client.ts';
import type { NangoDashboard } from '../nango/nango-dashboard.ts';
import { NangoError } from '../nango/nango-error.ts';

type IntegrationState =
  | 'registered'
  | 'missing'
  | 'created'
  | 'updated'
  | 'incomplete'
  /** It is there, and whether anyone can connect it cannot be seen. */
  | 'unknown'
  | 'not-offered'
  | 'failed';

export interface ReconciledIntegration {
  readonly id: string;
  readonly state: IntegrationState;
  /** Whether nothing remains to be done. */
  readonly ok: boolean;
  readonly message: string;
}

type Environment = Readonly<Record<string, string | undefined>>;
export interface ReconciledProvider {
  readonly api: Pick<
    NangoClient,
    'listIntegrations' | 'findClient' | 'createIntegration' | 'updateIntegration' | 'deleteIntegration'
  >;
  /** Absent if its username and password are not set. */
  readonly dashboard?: Pick<NangoDashboard, 'hasClient' | 'registerIntegration'> | undefined;
}
type Mode = 'check' | 'apply';

interface OAuthCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string | undefined;
}

const SIGN_IN = 'set NANGO_DASHBOARD_USERNAME and NANGO_DASHBOARD_PASSWORD';

export async function reconcileIntegrations(
  provider: ReconciledProvider,
  catalog: Catalog,
  environment: Environment,
  mode: Mode,
): Promise<ReconciledIntegration[]> {
  const present = new Set((await provider.api.listIntegrations()).map(({ key }) => key));
  const found: ReconciledIntegration[] = [];
  for (const connector of catalog.connectors) {
    if (isCredentialOnly(connector)) continue;
    const here = present.has(connector.id);
    if (connector.auth.mode === 'MCP_OAUTH2') found.push(await reconcileMcp(provider, connector, here, mode));
    else if (needsApplication(connector))
      found.push(await reconcileApplication(provider.api, connector, here, { environment, mode }));
    else found.push(await reconcilePlain(provider.api, connector, here, mode));
  }
  return found;
}

async function reconcileApplication(
  api: ReconciledProvider['api'],
  connector: Connector,
  present: boolean,
  { environment, mode }: { environment: Environment; mode: Mode },
): Promise<ReconciledIntegration> {
  const { id } = connector;
  const prefix = variablePrefix(id);
  const both = `${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET`;
  const credentials = readCredentials(prefix, environment);
  if (credentials === 'incomplete') return { id, state: 'incomplete', ok: false, message: `set both ${both}` };
  if (credentials && mode === 'apply') {
    const sent = { displayName: connector.name, credentials: toProvider(connector, credentials) };
    return present
      ? send(id, 'updated', () => api.updateIntegration(id, sent))
      : send(id, 'created', () => api.createIntegration({ key: id, provider: connector.auth.provider, ...sent }));
  }
  if (!present)
    return credentials
      ? { id, state: 'missing', ok: false, message: 'configured here, but missing at the provider: run with --apply' }
      : { id, state: 'not-offered', ok: true, message: `set ${both} to offer it` };
  const client = await api.findClient(id);
  if (client === 'hidden')
    return {
      id,
      state: 'unknown',
      ok: true,
      message: 'registered at the provider; this key cannot see whether it has a client ID',
    };
  if (client === 'missing')
    return {
      id,
      state: 'incomplete',
      ok: false,
      message: `registered at the provider without a client ID: ${credentials ? 'run with --apply' : `set ${both} and run with --apply`}`,
    };
  return {
    id,
    state: 'registered',
    ok: true,
    message: credentials
      ? 'registered at the provider; --apply sends its credentials again'
      : 'registered at the provider; no credentials configured here',
  };
}

/** An integration without credentials. Offering it is the operator's choice, so its absence is not a fault. */
async function reconcilePlain(
  api: ReconciledProvider['api'],
  { id, name, auth }: Connector,
  present: boolean,
  mode: Mode,
): Promise<ReconciledIntegration> {
  if (present)
    return { id, state: 'registered', ok: true, message: 'registered at the provider; needs no credentials' };
  if (mode === 'check')
    return {
      id,
      state: 'missing',
      ok: true,
      message: 'not at the provider; needs no credentials: run with --apply to offer it',
    };
  return send(id, 'created', () => api.createIntegration({ key: id, provider: auth.provider, displayName: name }));
}

/** An integration whose client the provider registers with the app, which only its dashboard can do. */
async function reconcileMcp(
  { api, dashboard }: ReconciledProvider,
  { id, auth }: Connector,
  present: boolean,
  mode: Mode,
): Promise<ReconciledIntegration> {
  if (!dashboard) {
    return present
      ? {
          id,
          state: 'unknown',
          ok: true,
          message: `registered at the provider; only its dashboard shows whether it has a client: ${SIGN_IN} to check it`,
        }
      : {
          id,
          state: 'missing',
          ok: true,
          message: `can only be created in the provider's dashboard: ${SIGN_IN} and run with --apply`,
        };
  }
  const client = present ? await findDashboardClient(dashboard, id) : 'absent';
  if (typeof client === 'object') return client;
  if (client === 'present')
    return { id, state: 'registered', ok: true, message: 'registered at the provider, with a client' };
  if (mode === 'check')
    return present
      ? {
          id,
          state: 'incomplete',
          ok: false,
          message: 'registered at the provider without a client ID, so no one can connect it: run with --apply',
        }
      : { id, state: 'missing', ok: true, message: 'not at the provider: run with --apply to offer it' };
  const create = async (): Promise<void> => {
    if (present) await api.deleteIntegration(id);
    await dashboard.registerIntegration({ key: id, provider: auth.provider });
  };
  return send(id, 'created', create, "through the provider's dashboard, with the account in NANGO_DASHBOARD_USERNAME");
}

async function findDashboardClient(
  dashboard: Pick<NangoDashboard, 'hasClient'>,
  id: string,
): Promise<ReconciledIntegration | 'present' | 'missing'> {
  try {
    return (await dashboard.hasClient(id)) ? 'present' : 'missing';
  } catch (error) {
    return refusal(id, error);
  }
}

async function send(
  id: string,
  done: 'created' | 'updated',
  work: () => Promise<void>,
  message = '',
): Promise<ReconciledIntegration> {
  try {
    await work();
    return { id, state: done, ok: true, message };
  } catch (error) {
    return refusal(id, error);
  }
}

function refusal(id: string, error: unknown): ReconciledIntegration {
  if (!(error instanceof NangoError)) throw error;
  return {
    id,
    state: 'failed',
    ok: false,
    message: `refused by the provider (${[error.failure, error.status, error.code].filter((part) => part !== undefined).join(' ')})`,
  };
}

/** `google-mail` reads SERVICE_OAUTH_GOOGLE_MAIL_CLIENT_ID and so on. */
export function variablePrefix(connectorId: string): string {
  return `SERVICE_OAUTH_${connectorId.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}

function readCredentials(prefix: string, environment: Environment): OAuthCredentials | 'incomplete' | undefined {
  const [clientId, clientSecret, scopes] = ['CLIENT_ID', 'CLIENT_SECRET', 'SCOPES'].map(
    (name) => environment[`${prefix}_${name}`]?.trim() || undefined,
  );
  if (clientId === undefined && clientSecret === undefined) return scopes === undefined ? undefined : 'incomplete';
  if (clientId === undefined || clientSecret === undefined) return 'incomplete';
  return { clientId, clientSecret, scopes };
}

function toProvider({ auth }: Connector, { clientId, clientSecret, scopes }: OAuthCredentials): Record<string, string> {
  return {
    type: auth.mode,
    client_id: clientId,
    client_secret: clientSecret,
    ...(scopes === undefined
      ? {}
      : {
          scopes: scopes
            .split(/[\s,]+/)
            .filter((scope) => scope !== '')
            .join(','),
        }),
  };
}
