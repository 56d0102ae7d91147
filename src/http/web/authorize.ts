// Every route of the web contract is implemented from `web` or `member` below, so none can be reached without a session
// and the membership that its need requires. The need is checked against the path and the query before the body is
// read; where a route names its workspace in the body, right after parsing. Handlers work within the membership that
// was checked, so no other field of a request can name another organization. Verbs that write under the organization's
// lock check again there, because rights may have changed in the meantime.
import { implement } from '@orpc/server';
import { AppError } from '../../base/errors.ts';
import type { Need, WebRouteMeta } from '../../contract/authority.ts';
import { id } from '../../contract/common.ts';
import { webContract } from '../../contract/contract.ts';
import { areaOf } from '../../enforcement/update-policy.ts';
import type { Session } from '../../identity/sessions/find-session.ts';
import { requireSecondFactor } from '../../identity/sessions/second-factor-demand.ts';
import { getKeyPlace, requireKeyAuthority } from '../../keys/key-scope.ts';
import { requireAccountAuthority } from '../../keys/models-account.ts';
import type { Database, Queryable } from '../../store/database.ts';
import {
  managesOrganization,
  requireMutationAuthority,
  requireOwner,
  requireSettings,
  requireWorkspaceMember,
} from '../../tenancy/authority.ts';
import type { MembershipLookup } from '../../tenancy/members/find-membership.ts';
import { getMembership } from '../../tenancy/members/get-membership.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import { parseJson } from '../../base/parse-json.ts';
import { getBody } from '../../model-providers/codecs/read-fields.ts';
import type { MatchedRoute } from '../shell/rpc.ts';

type Fields = Readonly<Record<string, unknown>>;
type Where = Omit<MembershipLookup, 'userId'>;

export interface WebContext extends Record<never, never> {
  readonly session: Session | undefined;
  readonly db: Database;
  /** Where the caller is, for limits. */
  readonly network: string;
  /** Checked against the path and the query, before the body was read. */
  readonly membership?: Membership | undefined;
}

/** For routes that concern only the caller, and for those that name the organization or workspace in the body. */
export const web = implement(webContract)
  .$context<WebContext>()
  .use(async ({ context: { session, db, membership }, procedure, next }, input: unknown) => {
    if (!session) throw new AppError('unauthenticated');
    const { user } = session;
    const { need, namedIn } = procedure['~orpc'].meta.authority;
    const decided = namedIn === 'body' ? await authorizeBody(db, session, need, input as Fields) : membership;
    return next({ context: { user, signedIn: session, decided } });
  });

/** For routes that name the organization or workspace in the path or the query. */
export const member = web.use(({ context, next }) => next({ context: { membership: decidedMembership(context) } }));

/**
 * For handlers of routes that name the organization or workspace in the body; they run once the contract accepts the
 * body.
 */
export function decidedMembership({ decided }: { readonly decided: Membership | AppError | undefined }): Membership {
  if (decided instanceof AppError) throw decided;
  if (!decided) throw new Error('the route was not authorized');
  return decided;
}

/** What a refusal may depend on besides the membership. */
interface RuleInput {
  /** The member named in the path. */
  readonly user: string | undefined;
  /** Of the body. */
  readonly readFields: () => Fields;
}

interface Rule {
  /** The organization or workspace that the fields name; undefined when the route needs none. */
  where(fields: Fields): Where | undefined;
  /** Throws if the member lacks the right. */
  require?(membership: Membership, input: RuleInput): void;
}

const organization = (fields: Fields): Where => ({
  organizationId: getName(fields, 'org' in fields ? 'org' : 'organization'),
});
const organizationScope = (fields: Fields): Where => ({ ...organization(fields), workspaceId: 'global' });
const workspace = (fields: Fields): Where => ({ workspaceId: getName(fields, 'ws') });
const keyScope = (fields: Fields): Where =>
  getKeyPlace({ organization: findName(fields, 'organization'), workspace: findName(fields, 'workspace') });
const isOneself = (membership: Membership, { user }: RuleInput): boolean => user === membership.userId;

/**
 * Needs without a rule belong to routes whose statements only reach what belongs to the caller, is shared with them, or
 * is in a workspace of theirs.
 */
const RULES: Readonly<Record<Need, Rule | undefined>> = {
  'signed-in': undefined,
  own: undefined,
  shared: undefined,
  project: undefined,
  'project:change': undefined,
  'project:manage': undefined,
  'project:take-over': undefined,
  'prompt:change': undefined,
  member: { where: organization },
  'member-if-named': {
    where: (fields) => (findName(fields, 'organization') === undefined ? undefined : organization(fields)),
  },
  'organization:owner': { where: organization, require: requireOwner },
  'organization:restore': undefined,
  'settings:general': { where: organization, require: (membership) => requireSettings(membership, 'general settings') },
  'settings:members': { where: organization, require: (membership) => requireSettings(membership, 'members') },
  'settings:members-or-oneself': {
    where: organization,
    require: (membership, input) => {
      if (!isOneself(membership, input)) requireSettings(membership, 'members');
    },
  },
  'settings:guardrails': { where: organization, require: (membership) => requireSettings(membership, 'guardrails') },
  'settings:models': { where: organization, require: (membership) => requireSettings(membership, 'models') },
  'settings:policy': { where: organization, require: requirePolicySettings },
  'settings:feedback': { where: organization, require: (membership) => requireSettings(membership, 'feedback') },
  'settings:plan': { where: organization, require: (membership) => requireSettings(membership, 'plan') },
  'settings:provisioning': { where: organization, require: requireOwner },
  'organization-scope': { where: organizationScope },
  'organization-scope:manage': { where: organizationScope, require: requireAccountAuthority },
  workspace: { where: workspace },
  'workspace:manage': { where: workspace, require: requireMutationAuthority },
  'workspace:manage-or-oneself': {
    where: workspace,
    require: (membership, input) => {
      if (!isOneself(membership, input)) requireMutationAuthority(membership);
    },
  },
  'workspace-member': {
    where: (fields) => ({ ...organization(fields), workspaceId: findName(fields, 'workspace') }),
    require: requireWorkspaceMember,
  },
  'models-account:manage': { where: workspace, require: requireAccountAuthority },
  'turn-scope': {
    where: turnScope,
    require: (membership) => {
      if (!membership.isWorkspaceMember) throw new AppError('not_found');
    },
  },
  'key-scope': { where: keyScope },
  'key-scope:manage': { where: keyScope, require: requireKeyAuthority },
};

/**
 * Checks the path and the query. Undefined when the need has no rule, or the body names the organization or workspace.
 */
export async function authorize(
  db: Queryable,
  session: Session,
  { meta, params, request, body }: MatchedRoute,
): Promise<Membership | undefined> {
  const { need, namedIn } = (meta as WebRouteMeta).authority;
  if (namedIn === 'body') return undefined;
  const fields = namedIn === 'path' ? params : Object.fromEntries(new URL(request.url).searchParams);
  const rule = RULES[need];
  const where = rule?.where(fields);
  if (!rule || !where) return undefined;
  const membership = await getOpenMembership(db, session, where);
  rule.require?.(membership, { user: params['user'], readFields: () => readFields(body) });
  return membership;
}

/**
 * Checks the fields of the body before they are validated. When they name no organization or workspace, the error is
 * returned instead of thrown: the contract then reports every invalid field at once.
 */
async function authorizeBody(
  db: Queryable,
  session: Session,
  need: Need,
  fields: Fields,
): Promise<Membership | AppError> {
  const rule = RULES[need];
  if (!rule) throw new Error(`no rule decides ${need} from a body`);
  const where = findWhere(rule, fields);
  if (where instanceof AppError) return where;
  const membership = await getOpenMembership(db, session, where);
  rule.require?.(membership, { user: undefined, readFields: () => fields });
  return membership;
}

/** A session without the second factor that the organization requires opens nothing of it. */
async function getOpenMembership(db: Queryable, session: Session, where: Where): Promise<Membership> {
  const membership = await getMembership(db, { userId: session.user.id, ...where });
  await requireSecondFactor(db, session, membership.organizationId);
  return membership;
}

function findWhere(rule: Rule, fields: Fields): Where | AppError {
  try {
    return rule.where(fields) ?? new AppError('invalid_request');
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** The refusal names the settings area that the change touches, and none if the body cannot be read. */
function requirePolicySettings(membership: Membership, input: RuleInput): void {
  if (!managesOrganization(membership)) requireSettings(membership, areaOf(input.readFields()));
}

function readFields(body: Buffer): Fields {
  try {
    return getBody(parseJson(body));
  } catch {
    return {};
  }
}

function turnScope(fields: Fields): Where {
  const [organizationId, workspaceId] = [findName(fields, 'organization'), findName(fields, 'workspace')];
  if (organizationId === undefined && workspaceId === undefined)
    throw new AppError('invalid_request', { workspace: 'is required unless organization is given' });
  return { organizationId, workspaceId };
}

/** An empty name counts as missing, as in every query. */
function findName(fields: Fields, name: string): string | undefined {
  return [undefined, null, ''].includes(fields[name] as string) ? undefined : getName(fields, name);
}

function getName(fields: Fields, name: string): string {
  const { data, error } = id.safeParse(fields[name]);
  if (data === undefined) throw new AppError('invalid_request', { [name]: error?.issues[0]?.message });
  return data;
}
