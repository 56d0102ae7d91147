import { expect, it } from 'vitest';
import { isolateNames } from './isolate-names.ts';

const table = isolateNames({
  plain: 'Delete',
  points: ['one', (name: string) => `two ${name}`],
  deep: { ask: (name: string, count: number) => `Delete ${name} (${count})?` },
}) as {
  plain: string;
  points: [string, (name: string) => string];
  deep: { ask: (name: string, count: number) => string };
};

it('sets a name from right to left apart in a sentence, wherever the table has it', () => {
  expect(table.deep.ask('שלום!', 3)).toBe('Delete \u2068שלום!\u2069 (3)?');
  expect(table.points[1]('مرحبا')).toBe('two \u2068مرحبا\u2069');
});

it('leaves other names and texts as they are', () => {
  expect(table.deep.ask('Ada', 3)).toBe('Delete Ada (3)?');
  expect([table.plain, table.points[0]]).toEqual(['Delete', 'one']);
});
