import type { GuardrailMatch } from '../../contract/guardrails.ts';
import type { Queryable } from '../../store/database.ts';
import type { Standing } from '../../tenancy/standing.ts';
import { evaluateRules } from './evaluate-rules.ts';
import { getGroup } from './guardrail-group.ts';

export async function testGuardrail(
  db: Queryable,
  { organizationId }: Standing,
  groupId: string,
  input: { text: string; version?: number | undefined },
): Promise<GuardrailMatch[]> {
  const { rules } = await getGroup(db, organizationId, groupId, input.version);
  return [...(await evaluateRules(rules, input.text))];
}
