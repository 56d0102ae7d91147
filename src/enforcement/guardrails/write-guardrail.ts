import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { isStorableJson, UNSTORABLE } from '../../base/storable-json.ts';
import type { GuardrailGroup, GuardrailRule } from '../../contract/guardrails.ts';
import type { Database, Transaction } from '../../store/database.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import { findRuleFaults } from './evaluate-rules.ts';
import { getGroup } from './guardrail-group.ts';

export async function createGuardrail(
  db: Database,
  { userId, organizationId }: Membership,
  input: { name: string; rules: GuardrailRule[] },
): Promise<GuardrailGroup> {
  await requireValidRules(input.rules);
  const id = newId('grd');
  return db.transaction(async (tx) => {
    await tx.query(
      'insert into :schema.guardrail_group (id, organization_id, latest_version, created_by) values ($1, $2, 1, $3)',
      [id, organizationId, userId],
    );
    await insertVersion(tx, { groupId: id, version: 1, userId }, input);
    return getGroup(tx, organizationId, id);
  });
}

export async function createGuardrailVersion(
  db: Database,
  { userId, organizationId }: Membership,
  groupId: string,
  input: { name?: string | undefined; rules: GuardrailRule[] },
): Promise<GuardrailGroup> {
  await requireValidRules(input.rules);
  return db.transaction(async (tx) => {
    // The update locks the row, so that two concurrent versions get different numbers.
    const { rows } = await tx.query<{ latest_version: number }>(
      'update :schema.guardrail_group set latest_version = latest_version + 1 where organization_id = $1 and id = $2 returning latest_version',
      [organizationId, groupId],
    );
    const [group] = rows;
    if (!group) throw new AppError('not_found');
    const name = input.name ?? (await getGroup(tx, organizationId, groupId, group.latest_version - 1)).name;
    await insertVersion(tx, { groupId, version: group.latest_version, userId }, { name, rules: input.rules });
    return getGroup(tx, organizationId, groupId);
  });
}

async function requireValidRules(rules: readonly GuardrailRule[]): Promise<void> {
  const unstorable = Object.fromEntries(
    rules.flatMap(({ config }, at) => (isStorableJson(config) ? [] : [[`rules.${at}.config`, UNSTORABLE]])),
  );
  const faults = Object.keys(unstorable).length > 0 ? unstorable : await findRuleFaults(rules);
  if (Object.keys(faults).length > 0) throw new AppError('invalid_request', faults);
}

async function insertVersion(
  tx: Transaction,
  { groupId, version, userId }: { groupId: string; version: number; userId: string },
  { name, rules }: { name: string; rules: GuardrailRule[] },
): Promise<void> {
  await tx.query(
    'insert into :schema.guardrail_version (group_id, version, name, rules, created_by) values ($1, $2, $3, $4, $5)',
    [groupId, version, name, JSON.stringify(rules), userId],
  );
}
