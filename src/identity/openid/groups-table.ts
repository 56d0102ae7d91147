// Which groups of the provider give which memberships. The file is read once, at start, and every fault in it stops the
// process with a line that names it: a row that is not understood would give people too much or too little.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from '../../base/config.ts';
import { role, slug, type Role } from '../../contract/common.ts';

const VARIABLE = 'SERVICE_OIDC_GROUPS';
const MOST_BYTES = 1024 * 1024;
const MOST_ROWS = 2_000;
/** More groups of one person are not looked at. */
const MOST_GROUPS = 2_000;

const workspace = slug.refine(
  (name) => name !== 'global' && name !== 'default',
  'every member of the organization is in this workspace',
);
const row = z.strictObject({
  group: z.string().min(1).max(256),
  organization: slug,
  role: role.default('member'),
  workspaces: z
    .array(z.union([workspace, z.strictObject({ workspace, role: role.default('member') })]))
    .max(100)
    .default([]),
});
const file = z.strictObject({
  claim: z.string().min(1).max(256).default('groups'),
  groups: z.array(row).max(MOST_ROWS),
});

export interface GroupsTable {
  /** The claim that holds the groups. */
  readonly claim: string;
  readonly rows: readonly GroupRow[];
}

interface GroupRow {
  readonly group: string;
  readonly organization: string;
  readonly role: Role;
  readonly workspaces: readonly { readonly workspace: string; readonly role: Role }[];
}

/** What a person is to have in one organization; without a role, no membership. */
export interface GivenMembership {
  readonly organization: string;
  readonly role: Role | undefined;
  readonly workspaces: ReadonlyMap<string, Role>;
}

/** Throws `ConfigError`. */
export function readGroupsTable(path: string): GroupsTable {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new ConfigError(`${VARIABLE} names ${path}, which cannot be read.`);
  }
  if (bytes.length > MOST_BYTES) throw new ConfigError(`${VARIABLE} names a file of more than ${MOST_BYTES} bytes.`);
  return parseGroupsTable(bytes.toString('utf8'));
}

export function parseGroupsTable(text: string): GroupsTable {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ConfigError(`${VARIABLE} names a file that is not JSON.`);
  }
  const { data, error } = file.safeParse(json);
  if (!data) {
    const { path, message } = error.issues[0] ?? { path: [], message: 'is not valid' };
    throw new ConfigError(`${VARIABLE} names a file with a fault at ${path.join('.') || 'its top'}: ${message}.`);
  }
  return {
    claim: data.claim,
    rows: data.groups.map((each) => ({
      ...each,
      workspaces: each.workspaces.map((one) => (typeof one === 'string' ? { workspace: one, role: 'member' } : one)),
    })),
  };
}

/**
 * The person's groups, by the name of the claim or else by its path with dots. A claim that is not there means no groups.
 * Undefined if the provider left them out because they are too many.
 */
export function findGroups(claims: Readonly<Record<string, unknown>>, claim: string): readonly string[] | undefined {
  const elsewhere = claims['_claim_names'];
  if (claims['hasgroups'] === true || (isRecord(elsewhere) && claim in elsewhere)) return undefined;
  const value =
    claim in claims
      ? claims[claim]
      : claim.split('.').reduce<unknown>((inner, part) => (isRecord(inner) ? inner[part] : undefined), claims);
  const groups = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
  return groups.filter((group) => typeof group === 'string').slice(0, MOST_GROUPS);
}

/** One for every organization of the table: the highest role of all rows that match. */
export function decideMemberships({ rows }: GroupsTable, groups: readonly string[]): GivenMembership[] {
  const has = new Set(groups);
  return [...new Set(rows.map(({ organization }) => organization))].toSorted().map((organization) => {
    const matching = rows.filter((each) => each.organization === organization && has.has(each.group));
    const workspaces = new Map<string, Role>();
    for (const { workspace, role: given } of matching.flatMap((each) => each.workspaces))
      workspaces.set(workspace, higher(workspaces.get(workspace), given));
    return {
      organization,
      role: matching.reduce<Role | undefined>((highest, each) => higher(highest, each.role), undefined),
      workspaces,
    };
  });
}

const RANK = { member: 0, admin: 1, owner: 2 } as const satisfies Record<Role, number>;

function higher(one: Role | undefined, other: Role): Role {
  return one !== undefined && RANK[one] > RANK[other] ? one : other;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
