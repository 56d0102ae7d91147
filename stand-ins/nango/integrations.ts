// Integrations. Every OAuth connector of the catalogue has one from the start, with a client at the demo authorization
// server, so that apps can be connected without any setup; it can be deleted and created again like any other.
// Credential-only integrations are created on first use, as with a real provider.
import { isCredentialOnly } from '../../src/catalog/auth-modes.ts';
import type { Connector } from '../../src/catalog/connector-types.ts';
import { findConnector } from '../../src/catalog/find-connector.ts';
import type { LocalDeps } from './local-settings.ts';
import { demoClient } from './secrets.ts';

export interface Integration {
  readonly unique_key: string;
  readonly provider: string;
  readonly display_name: string;
  /** The OAuth client used for authorizations. Without one, an OAuth app cannot be connected. */
  readonly client_id: string | null;
}

interface Row extends Record<string, unknown> {
  unique_key: string;
  provider: string;
  display_name: string;
  client_id: string | null;
  deleted: boolean;
}

const COLUMNS = 'unique_key, provider, display_name, client_id, deleted';

export async function findIntegration(deps: LocalDeps, key: string): Promise<Integration | undefined> {
  const { rows } = await deps.db.query<Row>(`select ${COLUMNS} from :schema.integration where unique_key = $1`, [key]);
  const [row] = rows;
  if (row) return row.deleted ? undefined : toIntegration(row);
  const builtIn = findConnector(deps.catalog, key);
  return builtIn && !isCredentialOnly(builtIn) ? builtInIntegration(deps, builtIn) : undefined;
}

export async function listIntegrations(deps: LocalDeps): Promise<Integration[]> {
  const { rows } = await deps.db.query<Row>(`select ${COLUMNS} from :schema.integration order by unique_key`);
  const builtIn = deps.catalog.connectors.filter(
    (connector) => !isCredentialOnly(connector) && !rows.some((row) => row.unique_key === connector.id),
  );
  return [
    ...rows.filter((row) => !row.deleted).map(toIntegration),
    ...builtIn.map((connector) => builtInIntegration(deps, connector)),
  ];
}

/** False if the key is taken. */
export async function createIntegration(deps: LocalDeps, integration: Integration): Promise<boolean> {
  if (await findIntegration(deps, integration.unique_key)) return false;
  await saveIntegration(deps, integration);
  return true;
}

export async function saveIntegration(
  { db }: LocalDeps,
  { unique_key: key, provider, display_name: name, client_id: client }: Integration,
  deleted = false,
): Promise<void> {
  await db.query(
    `insert into :schema.integration (unique_key, provider, display_name, client_id, deleted) values ($1, $2, $3, $4, $5)
     on conflict (unique_key) do update set provider = $2, display_name = $3, client_id = $4, deleted = $5, updated_at = now()`,
    [key, provider, name, client, deleted],
  );
}

/** Also deletes its connections. */
export async function deleteIntegration(deps: LocalDeps, key: string): Promise<boolean> {
  const integration = await findIntegration(deps, key);
  if (!integration) return false;
  await saveIntegration(deps, { ...integration, client_id: null }, true);
  await deps.db.query('delete from :schema.connection where provider_config_key = $1', [key]);
  return true;
}

/** The connector for the app with this provider id. */
export function connectorOf(
  { catalog }: LocalDeps,
  { unique_key: key, provider }: Pick<Integration, 'unique_key' | 'provider'>,
): Connector | undefined {
  return findConnector(catalog, key) ?? catalog.connectors.find((connector) => connector.auth.provider === provider);
}

function toIntegration({ unique_key, provider, display_name, client_id }: Row): Integration {
  return { unique_key, provider, display_name, client_id };
}

function builtInIntegration({ settings }: LocalDeps, { id, name, auth }: Connector): Integration {
  return {
    unique_key: id,
    provider: auth.provider,
    display_name: name,
    client_id: demoClient(settings.secretKey, id).id,
  };
}
