// Integrations. Every OAuth connector of the catalogue has one from the start, against the demo authorization server,
// so that a newcomer connects at once; credential-only ones are created when they are first used, as in a real provider.
import { isCredentialOnly } from '../catalog/auth-modes.ts';
import type { Connector } from '../catalog/connector-types.ts';
import { findConnector } from '../catalog/find-connector.ts';
import type { LocalDeps } from './local-settings.ts';

export interface Integration extends Record<string, unknown> {
  unique_key: string;
  provider: string;
  display_name: string;
}

export async function findIntegration({ db, catalog }: LocalDeps, key: string): Promise<Integration | undefined> {
  const { rows } = await db.query<Integration>('select unique_key, provider, display_name from :schema.integration where unique_key = $1', [key]);
  const builtIn = findConnector(catalog, key);
  return rows[0] ?? (builtIn && !isCredentialOnly(builtIn) ? toIntegration(builtIn) : undefined);
}

export async function listIntegrations({ db, catalog }: LocalDeps): Promise<Integration[]> {
  const { rows } = await db.query<Integration>('select unique_key, provider, display_name from :schema.integration order by unique_key');
  const builtIn = catalog.connectors.filter((connector) => !isCredentialOnly(connector)).map(toIntegration);
  return [...rows, ...builtIn.filter(({ unique_key: key }) => !rows.some((row) => row.unique_key === key))];
}

/** False when the key is taken. */
export async function createIntegration(deps: LocalDeps, { unique_key: key, provider, display_name: name }: Integration): Promise<boolean> {
  if (await findIntegration(deps, key)) return false;
  const { rowCount } = await deps.db.query('insert into :schema.integration (unique_key, provider, display_name) values ($1, $2, $3) on conflict do nothing', [key, provider, name]);
  return rowCount === 1;
}

export async function renameIntegration({ db }: LocalDeps, { unique_key: key, provider }: Integration, displayName: string): Promise<void> {
  await db.query('insert into :schema.integration (unique_key, provider, display_name) values ($1, $2, $3) on conflict (unique_key) do update set display_name = $3, updated_at = now()', [key, provider, displayName]);
}

export async function deleteIntegration({ db }: LocalDeps, key: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from :schema.integration where unique_key = $1', [key]);
  return rowCount === 1;
}

/** The connector whose app this provider id stands for. */
export function connectorOf({ catalog }: LocalDeps, { unique_key: key, provider }: Pick<Integration, 'unique_key' | 'provider'>): Connector | undefined {
  return findConnector(catalog, key) ?? catalog.connectors.find((connector) => connector.auth.provider === provider);
}

function toIntegration({ id, name, auth }: Connector): Integration {
  return { unique_key: id, provider: auth.provider, display_name: name };
}
