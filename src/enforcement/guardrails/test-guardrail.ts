import type { GuardrailMatch } from '../../contract/guardrails.ts';
import type { Queryable } from '../../store/database.ts';
import { evaluateRules } from './evaluate-rules.ts';
import { getGroup, getManagedStanding, type GuardrailPlace } from './guardrail-group.ts';

export async function testGuardrail(
  db: Queryable,
  place: GuardrailPlace,
  groupId: string,
  input: { text: string; version?: number | undefined },
): Promise<GuardrailMatch[]> {
  const { organizationId } = await getManagedStanding(db, place);
  const { rules } = await getGroup(db, organizationId, groupId, input.version);
  return [...(await evaluateRules(rules, input.text))];
}
