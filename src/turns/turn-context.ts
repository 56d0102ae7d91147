// The facts that decide a chat request, read in one statement and cached under the version they were read at. The
// admission statement compares the version, so a stale context is never used, only refused and read again.
import { type CacheKey, cacheKey } from '../base/cache-key.ts';
import { createTtlCache } from '../timing/bounded-cache.ts';
import type { Sealed } from '../base/seal.ts';
import type { AccountAuth, AccountProtocol } from '../contract/accounts/account-kinds.ts';
import type { ProviderKeySummary } from '../contract/policy.ts';
import type { PolicySettings } from '../enforcement/policy-checkpoint.ts';
import { ROUTE_PREFIX } from '../contract/routes/route-rules.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { PLANS } from '../tenancy/organizations/plans.ts';
import type { ModelRoute } from './routes/choose-next-hop.ts';
import type { Plan } from '../tenancy/members/membership.ts';
import { refusePaused } from '../tenancy/members/refuse-paused.ts';

export interface StoredKey {
  readonly workspaceId: string;
  readonly provider: string;
  readonly sealed: Sealed;
}

export interface ModelsAccount {
  readonly workspaceId: string;
  readonly id: string;
  readonly protocol: AccountProtocol;
  readonly auth: AccountAuth;
  readonly baseUrl: string;
  readonly models: readonly string[];
  /** Whether `reasoning_effort` may be sent to it. */
  readonly takesEffort: boolean;
  readonly sealed: Sealed;
}

export interface TurnContext {
  readonly version: number;
  readonly organizationId: string;
  readonly globalWorkspaceId: string;
  /** The request's workspace, or Default if none was picked. */
  readonly workspaceId: string;
  readonly workspaceSlug: string;
  readonly policy: PolicySettings;
  readonly inheritOrganizationKeys: boolean;
  readonly allowUnlistedModels: boolean;
  readonly toolSwitches: Readonly<Record<string, boolean>>;
  readonly summary: ProviderKeySummary | null;
  /** Keys of the request's workspace and of the organization scope. */
  readonly keys: readonly StoredKey[];
  /** Of the request's workspace and of the organization. */
  readonly modelsAccounts: readonly ModelsAccount[];
  readonly routes: readonly ModelRoute[];
  readonly seatBudgetMicros: number;
  readonly creditMicros: number;
  /** Whether the organization has caps. */
  readonly capped: boolean;
}

export interface TurnCaller {
  readonly userId: string;
  readonly organizationId: string;
  /** Id or slug; undefined if the request picked none. */
  readonly workspace: string | undefined;
}

interface ContextRow extends Record<string, unknown> {
  version: number;
  organization_id: string;
  plan: Plan;
  signup_credit_micros: number;
  members: number;
  caps: number | null;
  global_id: string;
  workspace_id: string;
  workspace_slug: string;
  disabled_providers: string[] | null;
  disabled_models: string[] | null;
  require_zdr: boolean | null;
  enforce_study_mode: boolean | null;
  inherit_organization_keys: boolean | null;
  allow_unlisted_models: boolean | null;
  tool_switches: Record<string, boolean> | null;
  provider_key_summary: ProviderKeySummary | null;
  keys: (SealedJson & { workspace: string; provider: string })[] | null;
  accounts: (SealedJson & AccountJson)[] | null;
  routes: ModelRoute[] | null;
}

interface AccountJson {
  workspace: string;
  id: string;
  protocol: AccountProtocol;
  auth: AccountAuth;
  base_url: string;
  models: string[];
  takes_effort: boolean;
}

interface SealedJson {
  ciphertext: string;
  iv: string;
  auth_tag: string;
}

const CONTEXT = `
select coalesce(v.version, 0) as version, o.id as organization_id, o.plan, o.signup_credit_micros,
       (select count(*) from :schema.organization_member c where c.organization_id = o.id and c.suspended_at is null) as members,
       (select b.caps from :schema.org_budget b where b.organization_id = o.id) as caps,
       g.id as global_id, w.workspace_id, w.slug as workspace_slug,
       p.disabled_providers, p.disabled_models, p.require_zdr, p.enforce_study_mode, p.inherit_organization_keys, p.allow_unlisted_models, p.tool_switches, p.provider_key_summary,
       (select jsonb_agg(jsonb_build_object('workspace', k.workspace_id, 'provider', k.provider,
               'ciphertext', encode(k.ciphertext, 'base64'), 'iv', encode(k.iv, 'base64'), 'auth_tag', encode(k.auth_tag, 'base64')))
          from :schema.org_provider_api_key k where k.organization_id = o.id and k.workspace_id in (w.workspace_id, g.id)) as keys,
       (select jsonb_agg(jsonb_build_object('workspace', a.workspace_id, 'id', a.id, 'protocol', a.protocol, 'auth', a.auth,
               'base_url', a.base_url, 'models', a.models, 'takes_effort', a.takes_effort,
               'ciphertext', encode(a.ciphertext, 'base64'), 'iv', encode(a.iv, 'base64'), 'auth_tag', encode(a.auth_tag, 'base64')) order by a.place, a.id)
          from :schema.models_account a where a.organization_id = o.id and a.workspace_id in (w.workspace_id, g.id)) as accounts,
       (select jsonb_agg(jsonb_build_object('name', '${ROUTE_PREFIX}' || r.slug, 'models', r.models, 'on', r.move_on) order by r.slug)
          from :schema.model_route r where r.organization_id = o.id) as routes
  from :schema.organization o
  join :schema.workspace g on g.organization_id = o.id and g.kind = 'global'
  join :schema.member_workspace w on w.organization_id = o.id and w.user_id = $1 and (w.workspace_id = $3 or w.slug = $3)
  left join :schema.org_policy p on p.organization_id = o.id
  left join :schema.chat_version v on v.organization_id = o.id
 where (o.id = $2 or o.slug = $2) and w.is_member`;

/**
 * Undefined if the workspace does not exist or the user is not a member of it or of the organization. Every member is
 * in Default and in Global; a turn that names Global reads the organization's own scope.
 */
export async function findTurnContext(
  db: Queryable,
  { userId, organizationId, workspace }: TurnCaller,
): Promise<TurnContext | undefined> {
  const { rows } = await db.query<ContextRow>(CONTEXT, [userId, organizationId, workspace ?? 'default']);
  const [row] = rows;
  if (!row) return undefined;
  return {
    version: row.version,
    organizationId: row.organization_id,
    globalWorkspaceId: row.global_id,
    workspaceId: row.workspace_id,
    workspaceSlug: row.workspace_slug,
    policy: {
      disabledProviders: row.disabled_providers ?? [],
      disabledModels: row.disabled_models ?? [],
      requireZdr: row.require_zdr ?? false,
      enforceStudyMode: row.enforce_study_mode ?? false,
    },
    inheritOrganizationKeys: row.inherit_organization_keys ?? false,
    allowUnlistedModels: row.allow_unlisted_models ?? false,
    toolSwitches: row.tool_switches ?? {},
    summary: row.provider_key_summary,
    keys: (row.keys ?? []).map((key) => ({
      workspaceId: key.workspace,
      provider: key.provider,
      sealed: fromJson(key),
    })),
    modelsAccounts: (row.accounts ?? []).map((account) => ({
      workspaceId: account.workspace,
      id: account.id,
      protocol: account.protocol,
      auth: account.auth,
      baseUrl: account.base_url,
      models: account.models,
      takesEffort: account.takes_effort,
      sealed: fromJson(account),
    })),
    routes: row.routes ?? [],
    seatBudgetMicros: PLANS[row.plan].seatBudgetMicros * row.members,
    creditMicros: row.signup_credit_micros,
    capped: (row.caps ?? 0) > 0,
  };
}

/** Until the transaction ends, nothing that decides a turn of the organization can change. */
export async function lockSettings(tx: Transaction, organization: string): Promise<void> {
  await tx.query(
    'select from :schema.chat_version v join :schema.organization o on o.id = v.organization_id where o.id = $1 or o.slug = $1 for share of v',
    [organization],
  );
}

function fromJson({ ciphertext, iv, auth_tag }: SealedJson): Sealed {
  return {
    ciphertext: Buffer.from(ciphertext, 'base64'),
    iv: Buffer.from(iv, 'base64'),
    authTag: Buffer.from(auth_tag, 'base64'),
  };
}

export interface TurnContextCache {
  find(caller: TurnCaller): Promise<TurnContext | undefined>;
  /** Called when the database has reported a context as stale. */
  forget(caller: TurnCaller): void;
}

const MOST = 5_000;
/** Contexts hold only sealed keys, but need not stay in memory for users who have left. */
const LIFETIME_MS = 5 * 60_000;

/** Caches members only. Non-members are looked up every time, so that a new member never waits. */
export function createTurnContextCache(db: Queryable): TurnContextCache {
  const known = createTtlCache<CacheKey, TurnContext>({ most: MOST, ttlMs: LIFETIME_MS });
  const keyOf = ({ userId, organizationId, workspace }: TurnCaller): CacheKey =>
    cacheKey(userId, organizationId, workspace ?? null);
  return {
    async find(caller) {
      const key = keyOf(caller);
      const found = known.get(key);
      if (found) return found;
      const context = await findTurnContext(db, caller);
      if (context) known.set(key, context);
      else await refusePaused(db, caller);
      return context;
    },
    forget: (caller) => known.delete(keyOf(caller)),
  };
}
