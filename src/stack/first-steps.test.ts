import { expect, it } from 'vitest';
import { firstSteps } from './first-steps.ts';

const stack = {
  publicUrl: 'http://localhost:4000',
  demo: true,
  runs: undefined,
  mailbox: 'http://localhost:4008',
  directory: '/data',
  logs: '/data/logs',
};

it('says where to go, how to sign in, what the models are, where the logs are and how to stop', () => {
  expect(firstSteps(stack)).toEqual([
    '  open    http://localhost:4000 and sign in; the first time, choose "Create an account"',
    '  models  are demo ones; for real ones set OPENAI_API_KEY or ANTHROPIC_API_KEY and start again',
    '  mail    is not sent, but shown at http://localhost:4008',
    '  logs    /data/logs',
    '  stop    with Ctrl-C; your data stays in /data',
  ]);
});

it('mentions models only while they are demo ones, and runs only when there is something to say', () => {
  expect(
    firstSteps({ ...stack, demo: false, mailbox: undefined, runs: 'off, for a reason.' }).map(
      (line) => line.trim().split(' ')[0],
    ),
  ).toEqual(['open', 'runs', 'logs', 'stop']);
});
