// The OAuth integrations at the provider against what the operator configured. An integration is created or changed
// only from credentials that were given for it, or without any where the provider takes none; nothing is made up,
// nothing is deleted, and credential-only connectors are none of its business: they come into being on first use.
import { isCredentialOnly, needsApplication } from '../catalog/auth-modes.ts';
import type { Catalog, Connector } from '../catalog/connector-types.ts';
import type { NangoClient } from '../nango/nango-client.ts';
import { NangoError } from '../nango/nango-error.ts';

export type IntegrationState = 'registered' | 'missing' | 'created' | 'updated' | 'incomplete' | 'not-offered' | 'failed';

export interface ReconciledIntegration {
  readonly id: string;
  readonly state: IntegrationState;
  /** Whether nothing is left to do. */
  readonly ok: boolean;
  readonly message: string;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Provider = Pick<NangoClient, 'listIntegrations' | 'createIntegration' | 'updateIntegration'>;

interface OAuthCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string | undefined;
}

export async function reconcileIntegrations(provider: Provider, catalog: Catalog, environment: Environment, mode: 'check' | 'apply'): Promise<ReconciledIntegration[]> {
  const present = new Set((await provider.listIntegrations()).map(({ key }) => key));
  const found: ReconciledIntegration[] = [];
  for (const connector of catalog.connectors) if (!isCredentialOnly(connector)) found.push(await reconcileOne(provider, connector, present.has(connector.id), environment, mode));
  return found;
}

async function reconcileOne(provider: Provider, connector: Connector, present: boolean, environment: Environment, mode: 'check' | 'apply'): Promise<ReconciledIntegration> {
  const { id } = connector;
  if (!needsApplication(connector)) return reconcilePlain(provider, connector, present, mode);
  const prefix = variablePrefix(id);
  const credentials = readCredentials(prefix, environment);
  if (credentials === 'incomplete') return { id, state: 'incomplete', ok: false, message: `set both ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET` };
  if (!credentials) return present ? { id, state: 'registered', ok: true, message: 'at the provider; no credentials are configured here' } : { id, state: 'not-offered', ok: true, message: `set ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET to offer it` };
  if (mode === 'check') return present ? { id, state: 'registered', ok: true, message: 'at the provider; --apply sends its credentials again' } : { id, state: 'missing', ok: false, message: 'configured here, not at the provider: run with --apply' };
  const sent = { displayName: connector.name, credentials: toProvider(connector, credentials) };
  return present ? send(id, 'updated', () => provider.updateIntegration(id, sent)) : send(id, 'created', () => provider.createIntegration({ key: id, provider: connector.auth.provider, ...sent }));
}

/** One that the provider takes no credentials for. Whether to offer it is the operator's choice, so its absence is no fault. */
async function reconcilePlain(provider: Provider, { id, name, auth }: Connector, present: boolean, mode: 'check' | 'apply'): Promise<ReconciledIntegration> {
  if (present) return { id, state: 'registered', ok: true, message: 'at the provider; it takes no credentials' };
  if (mode === 'check') return { id, state: 'missing', ok: true, message: 'not at the provider; it takes no credentials: run with --apply to offer it' };
  return send(id, 'created', () => provider.createIntegration({ key: id, provider: auth.provider, displayName: name }));
}

async function send(id: string, done: 'created' | 'updated', work: () => Promise<void>): Promise<ReconciledIntegration> {
  try {
    await work();
    return { id, state: done, ok: true, message: '' };
  } catch (error) {
    if (!(error instanceof NangoError)) throw error;
    return { id, state: 'failed', ok: false, message: `the provider refused it (${[error.failure, error.status, error.code].filter((part) => part !== undefined).join(' ')})` };
  }
}

/** `google-mail` reads SERVICE_OAUTH_GOOGLE_MAIL_CLIENT_ID and so on. */
export function variablePrefix(connectorId: string): string {
  return `SERVICE_OAUTH_${connectorId.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
}

function readCredentials(prefix: string, environment: Environment): OAuthCredentials | 'incomplete' | undefined {
  const [clientId, clientSecret, scopes] = ['CLIENT_ID', 'CLIENT_SECRET', 'SCOPES'].map((name) => environment[`${prefix}_${name}`]?.trim() || undefined);
  if (clientId === undefined && clientSecret === undefined) return scopes === undefined ? undefined : 'incomplete';
  if (clientId === undefined || clientSecret === undefined) return 'incomplete';
  return { clientId, clientSecret, scopes };
}

function toProvider({ auth }: Connector, { clientId, clientSecret, scopes }: OAuthCredentials): Record<string, string> {
  return { type: auth.mode, client_id: clientId, client_secret: clientSecret, ...(scopes === undefined ? {} : { scopes: scopes.split(/[\s,]+/).filter((scope) => scope !== '').join(',') }) };
}
