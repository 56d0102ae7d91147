import { expect, it } from 'vitest';
import { describeReceipt, type PROGRESS, type RECEIPT_KINDS } from './describe-receipt.ts';

const NAMES = {
  who: (actor: string) => (actor === 'user:ada' ? 'Ada' : 'You'),
  appName: (id: string) => (id === 'github' ? 'GitHub' : id),
  objective: 'Count the stars',
  startedBy: 'ada',
};
const CALL = { provider: 'github', name: 'default', tool: 'list-repositories' };
const say = (kind: string, body: unknown, actor = 'user:ada', names = NAMES): string => {
  const { text, outcome } = describeReceipt(
    { stream: 's', index: 0, kind, at: '', actor, body, prev: '', hash: '' },
    names,
  );
  return `${outcome}: ${text}`;
};

const KINDS: Record<keyof typeof RECEIPT_KINDS, readonly (readonly [unknown, string, string?])[]> = {
  'tool.called': [
    [CALL, 'plain: Ada started list-repositories in GitHub'],
    [{ ...CALL, name: 'work' }, 'plain: Ada started list-repositories in GitHub (work)'],
    [null, 'plain: Ada started a tool'],
  ],
  'tool.observed': [
    [{ ...CALL, status: 200 }, 'good: Ada called list-repositories in GitHub: succeeded (200)'],
    [{ ...CALL, status: 200 }, 'good: You called list-repositories in GitHub: succeeded (200)', 'user:me'],
  ],
  'tool.failed': [
    [{ ...CALL, status: 404 }, 'bad: Ada called list-repositories in GitHub: failed (404)'],
    [{ ...CALL, error: 'provider_timeout' }, 'bad: Ada called list-repositories in GitHub: failed (provider timeout)'],
  ],
  'job.queued': [[{ kind: 'chat' }, 'plain: Ada started a run: Count the stars']],
  'job.started': [[{ attempt: 1 }, 'plain: Ada’s run began: Count the stars', 'system:worker-chat']],
  'job.retried': [[{ attempt: 2 }, 'plain: Ada’s run began again (attempt 2): Count the stars', 'system:driver']],
  'job.progress': [[{ progress: { type: 'something' } }, 'plain: Ada’s run made progress', 'system:worker-chat']],
  'job.completed': [[{}, 'good: Ada’s run completed: Count the stars', 'system:worker-chat']],
  'job.failed': [
    [{ code: 'run_step_limit' }, 'bad: Ada’s run failed (run step limit): Count the stars', 'system:worker-chat'],
  ],
  'job.aborted': [
    [{}, 'bad: Ada aborted a run: Count the stars'],
    [{ reason: 'token_revoked' }, 'bad: Ada’s run was aborted (token revoked): Count the stars', 'system:api'],
  ],
};

it.each(
  Object.entries(KINDS).flatMap(([kind, rows]) =>
    rows.map(([body, sentence, actor]) => ({ kind, body, sentence, actor })),
  ),
)('says $kind $body as: $sentence', ({ kind, body, sentence, actor }) => {
  expect(say(kind, body, actor)).toBe(sentence);
});

const STEPS: Record<keyof typeof PROGRESS, readonly (readonly [object, string])[]> = {
  began: [[{ model: 'gpt' }, 'plain: Ada’s run was ready to work with gpt']],
  model: [[{ model: 'gpt' }, 'plain: Ada’s run got an answer from gpt']],
  'tool.started': [[{ tool: 'bash' }, 'plain: Ada’s run: running a command']],
  'tool.ended': [
    [{ tool: 'github__list-issues', ok: true }, 'good: Ada’s run: listed issues in GitHub'],
    [{ tool: 'github__list-issues', ok: false }, 'bad: Ada’s run: listed issues in GitHub, which failed'],
    [{ tool: 'bash', exit: 0 }, 'good: Ada’s run: ran a command'],
    [{ tool: 'bash', exit: 3 }, 'bad: Ada’s run: ran a command, which failed (exit code 3)'],
  ],
  clients: [[{ profiles: [] }, 'plain: Ada’s run was given its command-line accounts']],
  installing: [[{ program: 'codex' }, 'plain: Ada’s run installed codex']],
  released: [[{ reason: 'worker_stopping' }, 'plain: Ada’s run was interrupted by a restart of the service']],
  resumed: [[{}, 'plain: Ada’s run resumed']],
};

it.each(Object.entries(STEPS).flatMap(([type, rows]) => rows.map((row) => [type, ...row] as const)))(
  'says the step %s %j as: %s',
  (type, fact, sentence) => {
    expect(say('job.progress', { attempt: 1, progress: { type, ...fact } }, 'system:worker-chat')).toBe(sentence);
  },
);

it('says what it can about a kind that it does not know, and about a run that is not loaded', () => {
  expect(say('toString', {})).toBe('plain: Ada recorded toString');
  const unloaded = { who: NAMES.who, appName: NAMES.appName };
  expect(
    describeReceipt(
      { stream: 's', index: 0, kind: 'job.completed', at: '', actor: 'system:x', body: 'text', prev: '', hash: '' },
      unloaded,
    ).text,
  ).toBe('The run completed');
});
