import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MOST_VERSIONS } from '../versions.ts';
import { layOutTree } from './lay-out-tree.ts';
import type { Counts, SourceNode } from './source-conversation.ts';

const node = (id: string, parent: string | undefined, role: 'user' | 'assistant', said: string): SourceNode => ({
  id,
  parent,
  role,
  pieces: said === '' ? [] : [{ type: 'text', text: said }],
});

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const trees = fc
  .array(
    fc.record({
      id: ids,
      parent: fc.option(ids, { nil: undefined }),
      role: fc.constantFrom('user' as const, 'assistant' as const),
      isEmpty: fc.boolean(),
      at: fc.option(fc.nat(5), { nil: undefined }),
    }),
    { maxLength: 30 },
  )
  .map((nodes) =>
    nodes.map(({ isEmpty, at, id, parent, role }, index) => ({
      ...node(id, parent, role, isEmpty ? '' : `${index}`),
      at,
    })),
  );

it('loses no message and repeats none, whatever the tree is like', () => {
  fc.assert(
    fc.property(trees, fc.option(ids, { nil: undefined }), (nodes, leaf) => {
      const notes: Counts = {};
      const { shown, versions } = layOutTree(nodes, leaf, notes);
      const said = [...shown, ...versions].flatMap(({ pieces }) =>
        pieces.map((piece) => (piece.type === 'text' ? piece.text : '')),
      );
      const given = nodes.flatMap(({ pieces }) => pieces.map((piece) => (piece.type === 'text' ? piece.text : '')));
      expect(said.toSorted()).toEqual(given.toSorted());
      expect(notes).toEqual({});
    }),
    { numRuns: 500 },
  );
});

it('shows one branch, and every other message follows one that is there', () => {
  fc.assert(
    fc.property(trees, fc.option(ids, { nil: undefined }), (nodes, leaf) => {
      const { shown, versions } = layOutTree(nodes, leaf, {});
      expect(shown.map(({ parent }) => parent)).toEqual(shown.map((_, index) => shown[index - 1]?.key));
      const keys = new Set([...shown, ...versions].map(({ key }) => key));
      for (const { parent } of versions) expect(parent === undefined || keys.has(parent)).toBe(true);
      if (nodes.some(({ pieces }) => pieces.length > 0)) expect(shown.length).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
});

it('shows the branch of the leaf, also if only the structure needs it', () => {
  const nodes = [
    node('q', undefined, 'user', 'question'),
    node('old', 'q', 'assistant', 'old'),
    node('new', 'q', 'assistant', 'new'),
    node('end', 'old', 'assistant', ''),
  ];
  const shown = layOutTree(nodes, 'end', {}).shown.map(({ pieces }) => pieces);
  expect(shown).toEqual([[{ type: 'text', text: 'question' }], [{ type: 'text', text: 'old' }]]);
});

it('counts the versions beyond the most that a message may have, with what followed them', () => {
  const answers = Array.from({ length: MOST_VERSIONS + 5 }, (_, index) => ({
    ...node(`a${index}`, 'q', 'assistant', 'x'),
    at: index,
  }));
  const notes: Counts = {};
  const after = node('after', 'a0', 'user', 'lost with it');
  const { versions } = layOutTree([node('q', undefined, 'user', 'q'), ...answers, after], undefined, notes);
  expect(versions).toHaveLength(MOST_VERSIONS - 1);
  expect(notes).toEqual({ version: 6 });
});

it('reads a branch of a hundred thousand messages', () => {
  const nodes = Array.from({ length: 100_000 }, (_, index) =>
    node(`${index}`, index === 0 ? undefined : `${index - 1}`, index % 2 === 0 ? 'user' : 'assistant', 'x'),
  );
  expect(layOutTree(nodes, '99999', {}).shown).toHaveLength(100_000);
});
