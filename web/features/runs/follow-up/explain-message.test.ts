import { expect, it } from 'vitest';
import { explainMessage } from './explain-message.ts';
import { followUpStrings as strings } from './strings.ts';

const run = { kind: 'chat', status: 'running', createdBy: 'me' } as const;

it.each([
  ['queued', strings.whenQueued],
  ['running', strings.whenRunning],
  ['completed', strings.whenEnded],
  ['failed', strings.whenEnded],
  ['aborted', strings.whenEnded],
] as const)('says what becomes of a message to a run that is %s', (status, text) => {
  expect(explainMessage({ ...run, status }, 'me')).toEqual({ allowed: true, text });
});

it('says why somebody else waits for its end, and who may answer it then', () => {
  expect(explainMessage(run, 'you')).toEqual({ allowed: false, text: strings.onlyStarter });
  expect(explainMessage({ ...run, status: 'failed' }, 'you')).toEqual({ allowed: true, text: strings.whenEnded });
});

it.each(['running', 'completed'] as const)('says that runs of the kind Control take none: %s', (status) => {
  expect(explainMessage({ ...run, kind: 'control', status }, 'me')).toEqual({
    allowed: false,
    text: strings.noControl,
  });
});
