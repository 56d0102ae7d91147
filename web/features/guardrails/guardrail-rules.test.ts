import { describe, expect, it } from 'vitest';
import { GUARDRAIL_KINDS } from './guardrail-fields.ts';
import { draftsOf, explainRuleFault, findRuleFaults, newRule, placeOfFault, rulesOf } from './guardrail-rules.ts';

describe('guardrail rules in a form', () => {
  it.each(GUARDRAIL_KINDS)('a new rule of kind %s has a config that the server takes without complaint', (kind) => {
    const [rule] = rulesOf([newRule(kind)]);
    expect(rule?.kind).toBe(kind);
    expect(Object.values(rule?.config ?? {})).not.toContain('');
  });

  it('keeps fields without a control', () => {
    expect(rulesOf(draftsOf([{ kind: 'regex', config: { pattern: 'a', owner: 'ada' } }]))).toEqual([
      { kind: 'regex', config: { pattern: 'a', owner: 'ada' } },
    ]);
  });

  it('shows a server error at its field', () => {
    const group = { name: 'x', rules: [newRule('secrets'), newRule('pii')] };
    expect(placeOfFault('name', group)).toBe('name');
    expect(placeOfFault('rules.1.config.types.0', group)).toBe('rules.1.config.types');
    expect(placeOfFault('rules.0.config.types', group)).toBeUndefined();
    expect(placeOfFault('rules.7.config.types', group)).toBeUndefined();
    expect(placeOfFault('rules', group)).toBeUndefined();
    expect(explainRuleFault({ fields: { 'rules.1.config': 'must be shorter' } })).toBe('Rule 2: must be shorter');
    expect(explainRuleFault({ fields: {} })).toBeUndefined();
  });

  it('reports a schema that is not JSON before sending', () => {
    const rule = { ...newRule('json-schema'), config: { schema: '{' } };
    expect(Object.keys(findRuleFaults([newRule('pii'), rule]))).toEqual(['rules.1.config.schema']);
  });
});
