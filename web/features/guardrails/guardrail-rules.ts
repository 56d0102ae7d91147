// The rules of a guardrail group as the form holds them, and back.
import { randomId } from '@mantine/hooks';
import type { GuardrailKind, GuardrailRule } from '../../../src/contract/guardrails.ts';
import type { Fault } from '../../api/fault.ts';
import { GUARDRAIL_FIELDS, guardrailStrings as strings } from './strings.ts';
import {
  type Config,
  type ConfigField,
  configOf,
  type Draft,
  draftOf,
  findJsonFaults,
} from '../../kit/config-draft.ts';

export interface RuleDraft {
  /** Stays with a rule while others come and go around it. */
  readonly id: string;
  readonly kind: GuardrailKind;
  readonly config: Draft;
  /** As it was stored; nothing of it is lost that the form does not show. */
  readonly before: Config;
}

export interface GroupDraft extends Record<string, unknown> {
  readonly name: string;
  readonly rules: RuleDraft[];
}

export function fieldsOf(kind: GuardrailKind): readonly ConfigField[] {
  return GUARDRAIL_FIELDS[kind];
}

export function newRule(kind: GuardrailKind): RuleDraft {
  return { id: randomId(), kind, config: draftOf(fieldsOf(kind), {}), before: {} };
}

export function draftsOf(rules: readonly GuardrailRule[]): RuleDraft[] {
  return rules.map(({ kind, config }) => ({
    id: randomId(),
    kind,
    config: draftOf(fieldsOf(kind), config as Config),
    before: config as Config,
  }));
}

export function rulesOf(drafts: readonly RuleDraft[]): GuardrailRule[] {
  return drafts.map(({ kind, config, before }) => ({ kind, config: configOf(fieldsOf(kind), config, before) }));
}

/** By the place in the form where it is to be said. */
export function findRuleFaults(rules: readonly RuleDraft[]): Record<string, string> {
  return Object.fromEntries(
    rules.flatMap(({ kind, config }, at) =>
      findJsonFaults(fieldsOf(kind), config).map((field) => [`rules.${at}.config.${field}`, strings.notJson]),
    ),
  );
}

/** The server may name a part of a value, or something that has no control; both are said as near as possible. */
export function placeOfFault(field: string, { rules }: GroupDraft): string | undefined {
  if (field === 'name') return field;
  const [, at = '', name = ''] = /^rules\.(\d+)\.config\.([^.]+)/.exec(field) ?? [];
  const rule = rules[Number(at)];
  return rule !== undefined && fieldsOf(rule.kind).some((each) => each.name === name)
    ? `rules.${at}.config.${name}`
    : undefined;
}

/** For what has no place in the form: the rule is named in words. */
export function explainRuleFault({ fields }: Pick<Fault, 'fields'>): string | undefined {
  const [first] = Object.entries(fields);
  if (first === undefined) return undefined;
  const at = /^rules\.(\d+)/.exec(first[0])?.[1];
  return at === undefined ? undefined : strings.ruleFault(Number(at) + 1, first[1]);
}
