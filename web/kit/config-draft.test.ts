import { describe, expect, it } from 'vitest';
import { GUARDRAIL_FIELDS } from '../features/guardrails/guardrail-fields.ts';
import { MODULE_FIELDS } from '../features/policies/module-fields.ts';
import { type Config, type ConfigField, configOf, draftOf, findJsonFaults } from './config-draft.ts';

const there = (fields: readonly ConfigField[], config: Config): Config =>
  configOf(fields, draftOf(fields, config), config);

describe('a configuration in a form', () => {
  it.each([
    ['pii', { types: ['email', 'ssn'] }],
    ['profanity', { words: ['frak'], allow: ['damn'] }],
    ['topic', { topics: ['politics', { name: 'tea', terms: ['oolong', 'green tea'] }], minHits: 2 }],
    ['regex', { pattern: '\\d{3}', flags: 'i' }],
    ['keyword', { keywords: ['red fox'], caseSensitive: true, wholeWord: false }],
    ['length', { min: 0, max: 10, unit: 'words' }],
    ['json-schema', { schema: { type: 'object', required: ['a'] } }],
  ] as const)('%s comes back as it was', (kind, config) => {
    expect(there(GUARDRAIL_FIELDS[kind], config as unknown as Config)).toEqual(config);
  });

  it('keeps fields without a control', () => {
    expect(there(MODULE_FIELDS.rateLimiting, { perMinute: 5, enabled: true })).toEqual({ perMinute: 5, enabled: true });
  });

  it('leaves out empty fields', () => {
    expect(there(GUARDRAIL_FIELDS.pii, {})).toEqual({});
    expect(there(GUARDRAIL_FIELDS.regex, {})).toEqual({});
    expect(configOf(GUARDRAIL_FIELDS.profanity, { words: ' \n frak \n', allow: '' })).toEqual({ words: ['frak'] });
  });

  it('reports a field with invalid JSON', () => {
    expect(findJsonFaults(GUARDRAIL_FIELDS['json-schema'], { schema: '{"a":' })).toEqual(['schema']);
    expect(findJsonFaults(GUARDRAIL_FIELDS['json-schema'], { schema: 'null' })).toEqual(['schema']);
    expect(findJsonFaults(GUARDRAIL_FIELDS['json-schema'], { schema: ' ' })).toEqual([]);
    expect(findJsonFaults(GUARDRAIL_FIELDS['json-schema'], { schema: 'true' })).toEqual([]);
  });
});
