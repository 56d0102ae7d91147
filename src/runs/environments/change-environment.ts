// Making, replacing and deleting environments. Who may do it is a predicate of the statement that does it.
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { seal } from '../../base/seal.ts';
import { ENVIRONMENT_LIMITS, PACKAGE_REGISTRIES } from '../../contract/environments/environment-rules.ts';
import type { EnvironmentContent } from '../../contract/environments/environments.ts';
import { findConnection } from '../../connections/find-connection.ts';
import type { Catalog } from '../../catalog/connector-types.ts';
import { findConnector } from '../../catalog/find-connector.ts';
import { isPrivateHost } from '../../net/private-address.ts';
import type { Database, Queryable, Transaction } from '../../store/database.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import { getEnvironment, MANAGES, type SeenEnvironment } from './find-environments.ts';

export interface EnvironmentDeps {
  readonly db: Database;
  readonly catalog: Catalog;
  /** Undefined if SERVICE_CONNECTION_ENCRYPTION_KEY_B64 is not set: then no environment has secrets. */
  readonly sealingKey: Buffer | undefined;
  readonly allowPrivateUrls: boolean;
}

/** To which row a sealed secret belongs. */
export function secretContext(environmentId: string, name: string): readonly string[] {
  return ['environment_secret', environmentId, name];
}

const SAVE = `
insert into :schema.environment as e (id, organization_id, workspace_id, name, setup, variables, secret_variables, hosts, writable_hosts, repository, minutes, memory_mib, created_by)
  select $4, w.organization_id, w.workspace_id, $5, $6, $7, $8, $9, $10, $11, $12, $13, w.user_id from :schema.member_workspace w
   where w.user_id = $1 and w.organization_id = $2 and w.workspace_id = $3 and ${MANAGES}
  on conflict (organization_id, workspace_id, name) do update set setup = excluded.setup, variables = excluded.variables,
    secret_variables = excluded.secret_variables, hosts = excluded.hosts, writable_hosts = excluded.writable_hosts,
    repository = excluded.repository, minutes = excluded.minutes, memory_mib = excluded.memory_mib, updated_at = now()
  returning e.id, (select count(*)::int from :schema.environment o where o.organization_id = $2 and o.workspace_id = $3 and o.name <> $5) as others`;

export async function putEnvironment(
  deps: EnvironmentDeps,
  membership: Membership,
  { name, content }: { readonly name: string; readonly content: EnvironmentContent },
): Promise<SeenEnvironment> {
  const { userId, organizationId, workspaceId } = membership;
  const { setup = '', variables = {}, hosts = [], writableHosts = [], repository, limits } = content;
  const { secrets = {}, secretVariables = [] } = content;
  if (!deps.allowPrivateUrls) requirePublic({ hosts, writableHosts });
  if (repository) await requireCodeHost(deps, membership, repository.connection);
  return deps.db.transaction(async (tx) => {
    // One at a time in a workspace, so that each counts after the one before.
    await tx.query("select pg_advisory_xact_lock(hashtextextended('environments of ' || $1, 0))", [workspaceId]);
    const { rows } = await tx.query<{ id: string; others: number }>(SAVE, [
      userId,
      organizationId,
      workspaceId,
      newId('env'),
      name,
      setup,
      JSON.stringify(variables),
      [...new Set(secretVariables)],
      [...new Set(hosts)],
      [...new Set(writableHosts)],
      repository === undefined ? null : JSON.stringify(repository),
      limits?.minutes ?? null,
      limits?.memoryMiB ?? null,
    ]);
    const [saved] = rows;
    if (!saved) throw new AppError('workspace_authority_required');
    if (saved.others >= ENVIRONMENT_LIMITS.environments)
      throw new AppError('too_many_environments', { limit: ENVIRONMENT_LIMITS.environments });
    await saveSecrets(tx, deps.sealingKey, saved.id, secrets);
    const seen = await getEnvironment(tx, { userId, organizationId, workspaceId }, { workspace: workspaceId, name });
    requireConsistent(seen.environment);
    return seen;
  });
}

/** A value replaces the one of that name; null removes it. */
async function saveSecrets(
  tx: Transaction,
  key: Buffer | undefined,
  environmentId: string,
  secrets: Readonly<Record<string, string | null>>,
): Promise<void> {
  for (const [name, value] of Object.entries(secrets)) {
    if (value === null) {
      await tx.query('delete from :schema.environment_secret where environment_id = $1 and name = $2', [
        environmentId,
        name,
      ]);
      continue;
    }
    if (!key) throw new AppError('environment_secrets_not_configured');
    const { ciphertext, iv, authTag } = seal(key, value, secretContext(environmentId, name));
    await tx.query(
      `insert into :schema.environment_secret (environment_id, name, ciphertext, iv, auth_tag) values ($1, $2, $3, $4, $5)
       on conflict (environment_id, name) do update set ciphertext = $3, iv = $4, auth_tag = $5, updated_at = now()`,
      [environmentId, name, ciphertext, iv, authTag],
    );
  }
}

/** What can only be said of the whole, with the secrets that stayed. */
function requireConsistent({ secrets, secretVariables, variables }: SeenEnvironment['environment']): void {
  if (secrets.length > ENVIRONMENT_LIMITS.secrets)
    throw new AppError('invalid_request', { secrets: `at most ${ENVIRONMENT_LIMITS.secrets} secrets` });
  const both = secrets.find((name) => Object.hasOwn(variables, name));
  if (both !== undefined)
    throw new AppError('invalid_request', {
      [`variables.${both}`]: 'is also the name of a secret: remove one of them',
    });
  const unknown = secretVariables.find((name) => !secrets.includes(name));
  if (unknown !== undefined)
    throw new AppError('invalid_request', { secretVariables: `names ${unknown}, which is not among the secrets` });
}

function requirePublic(lists: Readonly<Record<string, readonly string[]>>): void {
  for (const [field, hosts] of Object.entries(lists)) {
    const wrong = hosts.find((host) => host !== PACKAGE_REGISTRIES && (host.includes(':') || isPrivateHost(host)));
    if (wrong !== undefined)
      throw new AppError('invalid_request', {
        [field]: `${wrong} is not the name of a public host: runs reach public hosts only, by https on port 443`,
      });
  }
}

async function requireCodeHost(
  { db, catalog }: EnvironmentDeps,
  membership: Membership,
  connection: string,
): Promise<void> {
  const found = await findConnection(db, membership, connection);
  if (!found)
    throw new AppError('invalid_request', { 'repository.connection': 'is not a connection of this workspace' });
  if (findConnector(catalog, found.provider)?.codeHost !== true)
    throw new AppError('invalid_request', { 'repository.connection': 'is not a connection to a code host' });
}

const REMOVE = `delete from :schema.environment e using :schema.member_workspace w
  where w.user_id = $1 and w.organization_id = $2 and w.workspace_id = $3 and ${MANAGES}
    and e.organization_id = w.organization_id and e.workspace_id = w.workspace_id and e.name = $4`;

export async function removeEnvironment(on: Queryable, membership: Membership, name: string): Promise<void> {
  const { userId, organizationId, workspaceId } = membership;
  const { rowCount } = await on.query(REMOVE, [userId, organizationId, workspaceId, name]);
  if (rowCount > 0) return;
  await getEnvironment(on, { userId, organizationId, workspaceId }, { workspace: workspaceId, name });
  throw new AppError('workspace_authority_required');
}
