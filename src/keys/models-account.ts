// Accounts with servers of models, of a workspace or of the organization (its Global workspace): address, the models that
// are routed there, and the key, which is never returned. They are tried in the order of their places.
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { fingerprint, type Sealed, seal } from '../base/seal.ts';
import { type AccountAuth, type AccountProtocol, MOST_ACCOUNTS } from '../contract/accounts/account-kinds.ts';
import type { FirstAccount, ModelsAccountInput, ShownAccount } from '../contract/models-account.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { requireMutationAuthority, requireSettings } from '../tenancy/authority.ts';
import type { MembershipLookup } from '../tenancy/members/find-membership.ts';
import { withLockedMembership } from '../tenancy/members/get-membership.ts';
import type { Membership } from '../tenancy/members/membership.ts';
import { checkAccount } from './check-account.ts';
import { openKey } from './find-provider-key.ts';
import type { KeyDeps } from './model-settings.ts';
import { type AccountAddress, modelsAccountContext, requireWrappingKey } from './sealed-secrets.ts';

interface AccountRow extends Record<string, unknown> {
  id: string;
  protocol: AccountProtocol;
  auth: AccountAuth;
  base_url: string;
  models: string[];
  takes_effort: boolean;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
  fingerprint: string;
  updated_at: Date;
}

type Place = Pick<Membership, 'organizationId' | 'workspaceId'>;

const KEY_VERSION = 1;

export async function listModelsAccounts(
  { db, wrappingKey }: Pick<KeyDeps, 'wrappingKey'> & { readonly db: Queryable },
  { organizationId, workspaceId }: Place,
): Promise<ShownAccount[]> {
  const { rows } = await db.query<AccountRow>(
    `select id, protocol, auth, base_url, models, takes_effort, ciphertext, iv, auth_tag, fingerprint, updated_at
       from :schema.models_account where organization_id = $1 and workspace_id = $2 order by place, id`,
    [organizationId, workspaceId],
  );
  return rows.map((row) => ({
    id: row.id,
    protocol: row.protocol,
    auth: row.auth,
    baseUrl: row.base_url,
    models: row.models,
    takesEffort: row.takes_effort,
    fingerprint: row.fingerprint,
    updatedAt: row.updated_at.toISOString(),
    ...(isOpen(wrappingKey, row, { organizationId, workspaceId, id: row.id }) ? {} : { undecryptable: true }),
  }));
}

function isOpen(wrappingKey: Buffer | undefined, row: AccountRow, address: AccountAddress): boolean {
  const sealed: Sealed = { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag };
  return openKey(wrappingKey, sealed, modelsAccountContext(address)).status === 'present';
}

/** The state of an account that is addressed as the first. */
export function showFirst([first]: readonly ShownAccount[]): FirstAccount {
  return first ? { configured: true, ...first } : { configured: false };
}

/** Which account is saved: one that is there, the first or, if there is none, a new one, or a new one after the others. */
export type SavedAs = { readonly id: string } | 'first' | 'last';

/**
 * The key is required for every change: otherwise anyone who may edit the account could learn the key by pointing it
 * elsewhere.
 */
export async function saveModelsAccount(
  deps: KeyDeps,
  membership: Membership,
  input: ModelsAccountInput,
  as: SavedAs,
): Promise<ShownAccount> {
  const account = await changeAccounts(deps, membership, async (tx, place) => {
    const wrappingKey = requireWrappingKey(deps);
    const { baseUrl, key } = checkAccount(input, deps.allowPrivateUrls);
    const known = await listModelsAccounts({ db: tx, wrappingKey }, place);
    const id = findSaved(known, as) ?? newId('mac');
    if (known.length >= MOST_ACCOUNTS && !known.some((one) => one.id === id))
      throw new AppError('too_many_models_accounts', { limit: MOST_ACCOUNTS });
    const sealed: Sealed = seal(wrappingKey, key, modelsAccountContext({ ...place, id }));
    await tx.query(
      `insert into :schema.models_account (organization_id, workspace_id, id, place, protocol, auth, base_url, models, takes_effort, ciphertext, iv, auth_tag, key_version, fingerprint)
       select $1, $2, $3, coalesce(max(place), 0) + 1, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13
         from :schema.models_account where organization_id = $1 and workspace_id = $2
       on conflict (organization_id, workspace_id, id) do update set protocol = excluded.protocol, auth = excluded.auth, base_url = excluded.base_url, models = excluded.models,
         takes_effort = excluded.takes_effort, ciphertext = excluded.ciphertext, iv = excluded.iv, auth_tag = excluded.auth_tag, key_version = excluded.key_version,
         fingerprint = excluded.fingerprint, updated_at = now()`,
      [
        place.organizationId,
        place.workspaceId,
        id,
        input.protocol,
        input.auth,
        baseUrl,
        [...new Set(input.models)],
        input.takesEffort,
        sealed.ciphertext,
        sealed.iv,
        sealed.authTag,
        KEY_VERSION,
        fingerprint(key),
      ],
    );
    return getAccount(await listModelsAccounts({ db: tx, wrappingKey }, place), id);
  });
  deps.log.info(
    { ...placeOf(membership), account: account.id, fingerprint: account.fingerprint },
    'models account saved',
  );
  return account;
}

function findSaved(known: readonly ShownAccount[], as: SavedAs): string | undefined {
  if (as === 'last') return undefined;
  return as === 'first' ? known[0]?.id : getAccount(known, as.id).id;
}

function getAccount(known: readonly ShownAccount[], id: string): ShownAccount {
  const account = known.find((one) => one.id === id);
  if (!account) throw new AppError('not_found');
  return account;
}

/** The accounts that are left. */
export async function removeModelsAccount(
  deps: Pick<KeyDeps, 'db' | 'log' | 'wrappingKey'>,
  membership: Membership,
  which: { readonly id: string } | 'first',
): Promise<ShownAccount[]> {
  const left = await changeAccounts(deps, membership, async (tx, place) => {
    const known = await listModelsAccounts({ ...deps, db: tx }, place);
    const id = findSaved(known, which);
    await tx.query('delete from :schema.models_account where organization_id = $1 and workspace_id = $2 and id = $3', [
      place.organizationId,
      place.workspaceId,
      id ?? '',
    ]);
    return known.filter((one) => one.id !== id);
  });
  deps.log.info(placeOf(membership), 'models account removed');
  return left;
}

/** Names every account once: otherwise somebody else has added or removed one in the meantime. */
export function orderModelsAccounts(
  deps: Pick<KeyDeps, 'db' | 'wrappingKey'>,
  membership: Membership,
  order: readonly string[],
): Promise<ShownAccount[]> {
  return changeAccounts(deps, membership, async (tx, place) => {
    const known = await listModelsAccounts({ ...deps, db: tx }, place);
    if (order.length !== known.length || known.some(({ id }) => !order.includes(id)))
      throw new AppError('invalid_request', { order: 'must name every account once' });
    await tx.query(
      `update :schema.models_account a set place = o.place from unnest($3::text[]) with ordinality o (id, place)
        where a.organization_id = $1 and a.workspace_id = $2 and a.id = o.id`,
      [place.organizationId, place.workspaceId, order],
    );
    return listModelsAccounts({ ...deps, db: tx }, place);
  });
}

function changeAccounts<T>(
  { db }: Pick<KeyDeps, 'db'>,
  membership: Membership,
  work: (tx: Transaction, place: Place) => Promise<T>,
): Promise<T> {
  return withLockedMembership(db, membership, (tx, current) => {
    requireAccountAuthority(current);
    const { organizationId, workspaceId } = current;
    return work(tx, { organizationId, workspaceId });
  });
}

export function requireAccountAuthority(membership: Membership): void {
  if (membership.workspaceKind === 'global') requireSettings(membership, 'API keys');
  else requireMutationAuthority(membership);
}

function placeOf({ userId, organizationId, workspaceId }: Membership): Required<MembershipLookup> {
  return { userId, organizationId, workspaceId };
}
