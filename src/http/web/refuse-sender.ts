// Who may not make a change is told so, whatever is wrong with what they sent. A request that is valid asks for
// authority where the change is made; this table is for one that never gets there.
import { id } from '../../contract/common.ts';
import { areaOf } from '../../enforcement/update-policy.ts';
import { getKeyScope, requireKeyAuthority } from '../../keys/key-scope.ts';
import type { Database } from '../../store/database.ts';
import { requireMutationAuthority, requireSettings, type SettingsArea } from '../../tenancy/authority.ts';
import { getStanding } from '../../tenancy/get-standing.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Rule {
  /** The field that says where; without it nothing can be said about the sender. */
  readonly where: string;
  refuse(db: Database, userId: string, place: string, fields: Fields): Promise<void>;
}

const settings = (area: (fields: Fields) => SettingsArea): Rule => ({
  where: 'org',
  refuse: async (db, userId, org, fields) =>
    requireSettings(await getStanding(db, { userId, organizationId: org }), area(fields)),
});
const workspace: Rule = {
  where: 'ws',
  refuse: async (db, userId, ws) => requireMutationAuthority(await getStanding(db, { userId, workspaceId: ws })),
};
const keyScope: Rule = {
  where: 'workspace',
  refuse: async (db, userId, ws, { organization }) =>
    requireKeyAuthority(
      await getKeyScope(db, { userId, organization: id.safeParse(organization).data, workspace: ws }),
    ),
};
const members = settings(() => 'members');
const guardrails = settings(() => 'guardrails');

/** By the route's name in the contract. */
export const SENDER_RULES: Readonly<Record<string, Rule>> = {
  'organizations.members.add': members,
  'organizations.members.update': members,
  'organizations.invitations.list': members,
  'organizations.invitations.create': members,
  'workspaces.update': workspace,
  'workspaces.members.add': workspace,
  'workspaces.members.update': workspace,
  'modelsAccount.save': workspace,
  'modelsAccount.organization.save': settings(() => 'API keys'),
  'policy.update': settings(areaOf),
  'guardrails.create': guardrails,
  'guardrails.versions.create': guardrails,
  'guardrails.test': guardrails,
  'providerKeys.save': keyScope,
};

/** `fields` are as they came. */
export async function refuseSender(
  db: Database,
  userId: string,
  path: readonly string[],
  fields: unknown,
): Promise<void> {
  const rule = SENDER_RULES[path.join('.')];
  if (!rule || !isFields(fields)) return;
  const place = id.safeParse(fields[rule.where]);
  if (place.success) await rule.refuse(db, userId, place.data, fields);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
