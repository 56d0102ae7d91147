// Decides who may call a route, by the need that the contract declares for it: from the path and the query, before the
// body is read, or from the body's fields right after parsing where a route names its workspace there. Handlers get the
// membership that was decided on and work within it, so that nothing else of a request can name another place.
// Verbs that write under the organization's lock ask again there: rights may have changed meanwhile.
import { AppError } from '../../base/errors.ts';
import type { Need, WebRouteMeta } from '../../contract/authority.ts';
import { id } from '../../contract/common.ts';
import { areaOf } from '../../enforcement/update-policy.ts';
import { getKeyPlace, requireKeyAuthority } from '../../keys/key-scope.ts';
import { requireAccountAuthority } from '../../keys/models-account.ts';
import type { Queryable } from '../../store/database.ts';
import {
  managesOrganization,
  requireMutationAuthority,
  requireSettings,
  requireWorkspaceMember,
} from '../../tenancy/authority.ts';
import type { Place } from '../../tenancy/find-standing.ts';
import { getStanding } from '../../tenancy/get-standing.ts';
import type { Standing } from '../../tenancy/standing.ts';
import { parseJson } from '../shell/parse-json.ts';
import { readText } from '../shell/read-body.ts';
import { type AskedRoute, BODY_LIMIT_BYTES } from '../shell/rpc.ts';

type Fields = Readonly<Record<string, unknown>>;
type Where = Omit<Place, 'userId'>;

/** What a refusal may depend on besides the membership. */
interface Asked {
  /** The member whom the path names. */
  readonly user: string | undefined;
  readonly readFields: () => Promise<Fields>;
}

interface Rule {
  /** Which organization or workspace the fields name; undefined where the route goes without one. */
  where(fields: Fields): Where | undefined;
  /** Throws the refusal of a member who may not. */
  require?(membership: Standing, asked: Asked): void | Promise<void>;
}

const organization = (fields: Fields): Where => ({
  organizationId: getName(fields, 'org' in fields ? 'org' : 'organization'),
});
const organizationScope = (fields: Fields): Where => ({ ...organization(fields), workspaceId: 'global' });
const workspace = (fields: Fields): Where => ({ workspaceId: getName(fields, 'ws') });
const keyScope = (fields: Fields): Where =>
  getKeyPlace({ organization: findName(fields, 'organization'), workspace: findName(fields, 'workspace') });
const isOneself = (membership: Standing, { user }: Asked): boolean => user === membership.userId;

/** The needs of routes that name no place show the caller what is theirs; their verbs look nowhere else. */
const RULES: Readonly<Record<Need, Rule | undefined>> = {
  'signed-in': undefined,
  own: undefined,
  member: { where: organization },
  'member-if-named': {
    where: (fields) => (findName(fields, 'organization') === undefined ? undefined : organization(fields)),
  },
  'settings:members': { where: organization, require: (membership) => requireSettings(membership, 'members') },
  'settings:members-or-oneself': {
    where: organization,
    require: (membership, asked) => {
      if (!isOneself(membership, asked)) requireSettings(membership, 'members');
    },
  },
  'settings:guardrails': { where: organization, require: (membership) => requireSettings(membership, 'guardrails') },
  'settings:policy': { where: organization, require: requirePolicySettings },
  'organization-scope': { where: organizationScope },
  'organization-scope:manage': { where: organizationScope, require: requireAccountAuthority },
  workspace: { where: workspace },
  'workspace:manage': { where: workspace, require: requireMutationAuthority },
  'workspace:manage-or-oneself': {
    where: workspace,
    require: (membership, asked) => {
      if (!isOneself(membership, asked)) requireMutationAuthority(membership);
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

/** For what the path or the query names. Undefined where the need is not about a place, or the body names it. */
export async function authorize(
  db: Queryable,
  userId: string,
  { meta, params, request }: AskedRoute,
): Promise<Standing | undefined> {
  const { need, namedIn } = (meta as WebRouteMeta).authority;
  if (namedIn === 'body') return undefined;
  const fields = namedIn === 'path' ? params : Object.fromEntries(new URL(request.url).searchParams);
  const rule = RULES[need];
  const where = rule?.where(fields);
  if (!rule || !where) return undefined;
  const membership = await getStanding(db, { userId, ...where });
  await rule.require?.(membership, { user: params['user'], readFields: () => readFields(request) });
  return membership;
}

/**
 * For what the body names, by its fields as they came. Fields that name no place are answered with the fault, for the
 * contract comes first then: it refuses every wrong field at once.
 */
export async function authorizeBody(
  db: Queryable,
  userId: string,
  need: Need,
  fields: Fields,
): Promise<Standing | AppError> {
  const rule = RULES[need];
  if (!rule) throw new Error(`no rule decides ${need} from a body`);
  const where = findWhere(rule, fields);
  if (where instanceof AppError) return where;
  const membership = await getStanding(db, { userId, ...where });
  await rule.require?.(membership, { user: undefined, readFields: async () => fields });
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

/** The refusal names the area of the settings that the change touches; a body that cannot be read names none. */
async function requirePolicySettings(membership: Standing, asked: Asked): Promise<void> {
  if (!managesOrganization(membership)) requireSettings(membership, areaOf(await asked.readFields()));
}

async function readFields(request: Request): Promise<Fields> {
  try {
    const body = parseJson(await readText(request, BODY_LIMIT_BYTES));
    return typeof body === 'object' && body !== null ? (body as Fields) : {};
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

/** An empty name is none, as in every query. */
function findName(fields: Fields, name: string): string | undefined {
  return [undefined, null, ''].includes(fields[name] as string) ? undefined : getName(fields, name);
}

function getName(fields: Fields, name: string): string {
  const { data, error } = id.safeParse(fields[name]);
  if (data === undefined) throw new AppError('invalid_request', { [name]: error?.issues[0]?.message });
  return data;
}
