import { CommanderError } from 'commander';
import { expect, it } from 'vitest';
import { asSentence, joinTexts } from './join-texts.ts';
import { toUsageFailure } from './usage-error.ts';

const KEY = 'sk-proj-abcdef1234567890';

it.each([
  [
    `error: too many arguments for 'save'. Expected 1 argument but got 2: openai, ${KEY}.`,
    "too many arguments for 'save'. Expected 1 argument but got 2.",
  ],
  [`error: unknown option '--key=${KEY}'`, "unknown option '--key'"],
  [`error: unknown command '${KEY}'`, 'unknown command'],
  ["error: unknown command 'modles'\n(Did you mean models?)", "unknown command 'modles' (Did you mean models?)"],
  [
    `error: option '--status <status>' argument '${KEY}' is invalid. Allowed choices are queued, running.`,
    "option '--status <status>' argument is invalid. Allowed choices are queued, running.",
  ],
  [
    "error: option '--status <status>' argument 'gone' is invalid. Allowed choices are queued.",
    "option '--status <status>' argument 'gone' is invalid. Allowed choices are queued.",
  ],
  ["error: missing required argument 'tool'", "missing required argument 'tool'"],
])('%s does not repeat a secret', (message, said) => {
  expect(toUsageFailure(new CommanderError(2, 'commander.any', message))).toMatchObject({
    message: said,
    exit: 2,
    error: 'usage',
    next: expect.stringMatching(/^Run the command with --help/),
  });
});

it('joins texts by how the first one ends', () => {
  expect(joinTexts('model_not_found', 'There is none.')).toBe('model_not_found: There is none.');
  expect(joinTexts('Only owners can do that.', 'Ask one.')).toBe('Only owners can do that. Ask one.');
  expect([asSentence('Acme Inc.'), asSentence('Acme')]).toEqual(['Acme Inc.', 'Acme.']);
});
