import { describe, expect, it } from 'vitest';
import { findGlossaryFaults, readTypeNames } from './find-glossary-faults.ts';

const PAGE = `# Concepts

| other | table |
|---|---|
| not | \`Read\` |

## Words and types

Text.

| word | meaning | type |
|---|---|---|
| run | what a worker executes | \`Run\` |
| caller | who sent a request | \`Caller\`, \`ToolCaller\` |
| app | a connector, to people | – |

## After

| word | meaning | type |
|---|---|---|
| late | in another section | \`Late\` |
`;

const faultsOf = (files: Record<string, string>, text = PAGE): string[] =>
  findGlossaryFaults(
    { path: 'docs/concepts.md', text },
    Object.entries(files).map(([path, content]) => ({ path, text: content })),
  );
const GOOD = {
  'src/run.ts': 'export interface Run {}',
  'src/caller.ts': 'export type Caller = string;\nexport class ToolCaller {}',
};

describe('the glossary', () => {
  it('lists the types in the last column of its section', () => {
    expect(readTypeNames(PAGE)).toEqual(['Run', 'Caller', 'ToolCaller']);
  });

  it('is kept when each type has one exporter', () => {
    expect(faultsOf(GOOD)).toEqual([]);
  });

  it('is not kept by a second export, wherever it is', () => {
    expect(faultsOf({ ...GOOD, 'web/run.ts': '\nexport type Run = { id: string };' })).toEqual([
      'Run is exported 2 times: src/run.ts:1, web/run.ts:2',
    ]);
  });

  it.each([
    ["export { type Run } from './run.ts';"],
    ["export type { Other, Job as Run } from './job.ts';"],
    ['export abstract class Run {}'],
    ['export declare class Run {}'],
  ])('counts %s as an export', (text) => {
    expect(faultsOf({ ...GOOD, 'cli/run.ts': text })).toHaveLength(1);
  });

  it.each([
    ['interface Run {}'],
    ['export interface Runner {}'],
    ['export const Run = 1;'],
    ["import type { Run } from './run.ts';"],
    ['// export interface Run'],
  ])('does not count %s', (text) => {
    expect(faultsOf({ ...GOOD, 'cli/run.ts': text })).toEqual([]);
  });

  it('is not kept when a type is gone', () => {
    expect(faultsOf({ 'src/caller.ts': GOOD['src/caller.ts'] })).toEqual([
      'docs/concepts.md: no file exports the type Run',
    ]);
  });

  it('must be there', () => {
    expect(faultsOf(GOOD, '# Concepts\n')).toEqual([
      'docs/concepts.md: the section "## Words and types" names no type',
    ]);
  });
});
