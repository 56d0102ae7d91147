import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AdvertisedTool, advertiseCatalog } from './advertise-tool.ts';
import type { PropertySchema } from './connector-types.ts';
import { lintPortability, type PortabilityRule } from '../../test/support/tools/lint-portability.ts';
import { loadConnectors } from './load-connectors.ts';

const catalog = loadConnectors();
const tools = advertiseCatalog(catalog);

describe('the whole catalogue', () => {
  it('is portable', () => {
    expect(lintPortability(tools)).toEqual([]);
  });

  it('keeps names to 40 characters but for one whose parts are both given', () => {
    expect(tools.map(({ name }) => name).filter((name) => name.length > 40)).toEqual([
      'sharepoint-online__read-provider-resource',
    ]);
  });

  it('says in every tool whether it only reads', () => {
    expect(tools.filter(({ annotations }) => !annotations.readOnlyHint)).toHaveLength(catalog.counts.writes);
  });

  it.each(tools)('has a schema that compiles and is closed: $name', ({ inputSchema }) => {
    const input = z.fromJSONSchema(structuredClone(inputSchema) as Parameters<typeof z.fromJSONSchema>[0]);
    const filled = Object.fromEntries(
      (inputSchema.required ?? []).map((name) => [name, sample(inputSchema.properties[name] ?? {})]),
    );
    expect(input.safeParse(filled).error).toBeUndefined();
    expect(input.safeParse({ ...filled, 'not-there': 1 }).success).toBe(false);
    expect(
      (inputSchema.required ?? []).filter((name) => input.safeParse({ ...filled, [name]: undefined }).success),
    ).toEqual([]);
  });
});

describe('the lint', () => {
  const sound: AdvertisedTool = {
    name: 'acme__get-thing',
    description: 'Returns a thing.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: { readOnlyHint: true },
  };
  const withProperty = (name: string, property: PropertySchema): AdvertisedTool => ({
    ...sound,
    inputSchema: { ...sound.inputSchema, properties: { [name]: property } },
  });
  const nest = (levels: number): PropertySchema =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { deeper: nest(levels - 1) } };

  const broken: Record<PortabilityRule, readonly AdvertisedTool[][]> = {
    name: [[{ ...sound, name: 'acme.get' }], [{ ...sound, name: 'x'.repeat(49) }]],
    description: [
      [{ ...sound, description: '' }],
      [{ ...sound, description: 'two\nlines' }],
      [{ ...sound, description: 'x'.repeat(1025) }],
    ],
    root: ['anyOf', 'oneOf', 'allOf', '$ref', '$defs'].map((key) => [
      { ...sound, inputSchema: { ...sound.inputSchema, [key]: [] } },
    ]),
    keywords: ['$ref', 'anyOf', 'default', 'format'].map((key) => [
      withProperty('x', { type: 'array', items: { [key]: 'x' } }),
    ]),
    'property-names': [
      [withProperty('statuses[]', { type: 'string' })],
      [withProperty('x'.repeat(65), { type: 'string' })],
    ],
    patterns: [
      [withProperty('x', { type: 'string', pattern: '^(?!x)' })],
      [withProperty('x', { type: 'string', pattern: 'x' })],
    ],
    depth: [[withProperty('x', nest(4))]],
    size: [[withProperty('x', { type: 'string', description: 'x'.repeat(4096) })]],
    'unique-names': [[sound, sound]],
    'list-size': [
      Array.from({ length: 30 }, (_, at) => ({
        ...sound,
        name: `acme__t${at}`,
        inputSchema: { ...sound.inputSchema, properties: { x: { description: 'x'.repeat(3000) } } },
      })),
    ],
  };

  it.each(Object.entries(broken).flatMap(([rule, lists]) => lists.map((list) => ({ rule, list }))))(
    'finds what breaks $rule',
    ({ rule, list }) => {
      expect(lintPortability(list).map((fault) => fault.rule)).toContain(rule);
    },
  );

  it('accepts a plain tool', () => {
    expect(
      lintPortability([sound, withProperty('x', nest(3))].map((tool, at) => ({ ...tool, name: `acme__t${at}` }))),
    ).toEqual([]);
  });
});

function sample(property: PropertySchema): unknown {
  const { type, enum: values, examples, properties, required } = property;
  if (Array.isArray(examples)) return examples[0];
  if (Array.isArray(values)) return values[0];
  if (type === 'object') {
    const fields = (properties ?? {}) as Record<string, PropertySchema>;
    return Object.fromEntries(((required ?? []) as string[]).map((name) => [name, sample(fields[name] ?? {})]));
  }
  return '/x';
}
