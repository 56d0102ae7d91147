import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findOrigin, flattenTools, mappedTools, nameTools, type OriginalTool } from './name-tools.ts';
import type { ToolOrigin } from './neutral.ts';

const tool = (origin: ToolOrigin): OriginalTool => ({ origin, schema: { type: 'object' } });
const named = (...origins: ToolOrigin[]): string[] =>
  flattenTools(origins.map(tool), nameTools(origins)).map(({ name }) => name);
const f = (name: string, namespace?: string): ToolOrigin => ({ kind: 'function', namespace, name });

describe('names of tools for a provider that knows functions only', () => {
  test('are the tools’ own if possible', () => {
    expect(
      named(
        f('read'),
        f('spawn', 'agents'),
        f('issue', 'mcp__github__'),
        { kind: 'custom', name: 'apply_patch' },
        { kind: 'tool_search', name: 'tool_search' },
      ),
    ).toEqual(['read', 'agents__spawn', 'mcp__github__issue', 'apply_patch', 'tool_search']);
  });

  test('have a hash if two tools want the same one, or if they are too long or contain other characters', () => {
    const names = named(f('b__c', 'a'), f('c', 'a__b'), f('x__y'), f('y', 'x'), f('n'.repeat(80)), f('é'));
    expect(names).toEqual([
      expect.stringMatching(/^a__b__c_[0-9a-f]{12}$/),
      expect.stringMatching(/^a__b__c_[0-9a-f]{12}$/),
      'x__y',
      expect.stringMatching(/^x__y_[0-9a-f]{12}$/),
      expect.stringMatching(/^n{51}_[0-9a-f]{12}$/),
      expect.stringMatching(/^__[0-9a-f]{12}$/),
    ]);
  });

  test('are found for calls without a namespace, and created for calls of tools that are gone', () => {
    const names = nameTools([f('exec', 'functions'), f('read', 'a'), f('read', 'b')]);
    expect([names.flatten(f('exec')), names.flatten(f('read')), names.flatten(f('old', 'gone'))]).toEqual([
      'functions__exec',
      'read',
      'gone__old',
    ]);
  });

  const text = fc.oneof(
    fc.constantFrom('a', 'b', 'a__b', '__', 'x'.repeat(70), 'tool_search'),
    fc.string({ minLength: 1, maxLength: 8 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }),
  );
  const origin: fc.Arbitrary<ToolOrigin> = fc.oneof(
    fc.record({
      kind: fc.constantFrom('function' as const, 'custom' as const),
      namespace: fc.option(text, { nil: undefined }),
      name: text,
    }),
    fc
      .constantFrom('tool_search' as const, 'local_shell' as const, 'shell' as const, 'apply_patch' as const)
      .map((kind) => ({ kind, name: kind })),
  );

  test('map back to the tool, whatever the list', () => {
    fc.assert(
      fc.property(fc.array(origin, { maxLength: 12 }), (origins) => {
        const names = nameTools(origins);
        const flat = flattenTools(origins.map(tool), names);
        const distinct = new Set(
          origins.map(({ kind, namespace = '', name }) => JSON.stringify([kind, namespace, name])),
        );
        expect(new Set(flat.map(({ name }) => name)).size).toBe(distinct.size);
        for (const { name } of flat) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        for (const { kind, namespace = '', name } of origins) {
          const found = findOrigin(mappedTools(flat), names.flatten({ kind, namespace, name }));
          expect({ ...found, namespace: found.namespace ?? '' }).toEqual({ kind, namespace, name });
        }
      }),
    );
  });

  test('do not depend on the order of the list', () => {
    fc.assert(
      fc.property(fc.array(origin, { maxLength: 8 }), (origins) => {
        const forth = nameTools(origins);
        const back = nameTools(origins.toReversed());
        for (const asked of origins) expect(back.flatten(asked)).toBe(forth.flatten(asked));
      }),
    );
  });
});
