import { expect, it } from 'vitest';
import type { Journal, JournalEntry } from '../../runs/record/journal.ts';
import { goesOn } from './past.ts';

const began = (over: boolean): JournalEntry => ({ type: 'began', over });
const answered: JournalEntry = {
  type: 'answered',
  content: [],
  use: { inputTokens: 1, outputTokens: 1, costMicros: 1 },
};
const started = (step: number): JournalEntry => ({ type: 'started', step, call: 'c', tool: 'bash', asked: null });
const ended = (step: number, unknown = false): JournalEntry => ({
  type: 'ended',
  step,
  call: 'c',
  tool: 'bash',
  output: '',
  unknown,
});

const ONE: Journal = [began(true), answered, started(1), ended(1)];

it.each<[string, Journal, string | undefined, boolean]>([
  ['where nothing was answered yet', [began(true)], undefined, false],
  ['without files, where no command has ended', [began(true), answered, started(1)], undefined, true],
  ['with the files of the last command that ended', ONE, '1:c', true],
  ['with those of a later one that was under way', [...ONE, answered, started(2)], '2:c', true],
  ['with those before one whose end is unknown', [...ONE, answered, started(2), ended(2, true)], '1:c', true],
  ['without files that a command has left', ONE, undefined, false],
  ['with files that are older than the journal', [...ONE, answered, started(2), ended(2)], '1:c', false],
  ['where it began from nothing again and nothing was answered since', [...ONE, began(true)], '1:c', false],
  ['where it began from nothing again and has an answer', [...ONE, began(true), answered], undefined, true],
])('an attempt goes on, or not: %s', (_case, journal, restored, expected) => {
  expect(goesOn(journal, restored)).toBe(expected);
});
