// Converts the rules of a guardrail group to form values and back.
import { randomId } from '@mantine/hooks';
import type { GuardrailKind, GuardrailRule } from '../../../src/contract/guardrails.ts';
import type { Fault } from '../../api/fault.ts';
import { GUARDRAIL_FIELDS } from './guardrail-fields.ts';
import { guardrailStrings as strings } from './strings.ts';
import {
  type Config,
  type ConfigField,
  configOf,
  type ConfigDraft,
  draftOf,
  findJsonFaults,
} from '../../kit/config-draft.ts';

export interface RuleDraft {
  /** A stable React key. */
  readonly id: string;
  readonly kind: GuardrailKind;
  readonly config: ConfigDraft;
  /** The stored config, so that fields without a control are kept. */
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

/** Errors by form field. */
export function findRuleFaults(rules: readonly RuleDraft[]): Record<string, string> {
  return Object.fromEntries(
    rules.flatMap(({ kind, config }, at) =>
      findJsonFaults(fieldsOf(kind), config).map((field) => [`rules.${at}.config.${field}`, strings.notJson]),
    ),
  );
}

/** An error for part of a value, or for something without a control, goes to the nearest field. */
export function placeOfFault(field: string, { rules }: GroupDraft): string | undefined {
  if (field === 'name') return field;
  const [, at = '', name = ''] = /^rules\.(\d+)\.config\.([^.]+)/.exec(field) ?? [];
  const rule = rules[Number(at)];
  return rule !== undefined && fieldsOf(rule.kind).some((each) => each.name === name)
    ? `rules.${at}.config.${name}`
    : undefined;
}

/** For errors without a field: the message names the rule. */
export function explainRuleFault({ fields }: Pick<Fault, 'fields'>): string | undefined {
  const [first] = Object.entries(fields);
  if (first === undefined) return undefined;
  const at = /^rules\.(\d+)/.exec(first[0])?.[1];
  return at === undefined ? undefined : strings.ruleFault(Number(at) + 1, first[1]);
}
