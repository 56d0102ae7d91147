import { expect, it } from 'vitest';
import { describeMoment, type MOMENTS } from './describe-moment.ts';

const say = (event: string, data: Record<string, unknown>): string => {
  const facts = Object.fromEntries(Object.entries(data).filter(([, value]) => typeof value !== 'object'));
  const {
    title,
    facts: said,
    notes,
  } = describeMoment(
    {
      type: 'moment',
      id: 1,
      at: '',
      event,
      attempt: 2,
      actor: 'system:worker-chat',
      facts,
      data,
    },
    (id) => (id === 'service/auto' ? 'Auto' : id),
  );
  return [title, ...said, ...notes].join(' | ');
};

const SAID: Record<keyof typeof MOMENTS, readonly (readonly [Record<string, unknown>, string])[]> = {
  'job.queued': [[{ model: 'gpt', startedWith: 'session' }, 'Queued | gpt']],
  'job.started': [[{}, 'Started']],
  'job.retried': [[{}, 'Started again | attempt 2']],
  'job.completed': [[{}, 'Completed']],
  'job.failed': [[{ code: 'policy_denied:model' }, 'Failed | policy denied model']],
  'job.aborted': [
    [{}, 'Aborted'],
    [{ reason: 'token_revoked' }, 'Aborted | token revoked'],
  ],
  'job.progress': [[{ step: 'sleeping' }, 'Progress | step sleeping']],
  changes: [
    [{ files: 2, additions: 3, deletions: 1, patch: { bytes: 9 } }, 'Changed the repository | 2 files | +3 −1'],
  ],
  delivered: [
    [{ branch: 'runs/job_1', commit: 'b', url: 'https://github.com/x' }, 'Pushed | runs/job_1'],
    [{ problem: 'the run changed nothing' }, 'Nothing was pushed | the run changed nothing'],
  ],
  checkout: [
    [
      { repository: 'acme/app', ref: 'v1', commit: 'b'.repeat(40) },
      'Checked out the repository | acme/app | v1 | bbbbbbbbbbbb',
    ],
  ],
  began: [
    [{ model: 'gpt', tools: 2 }, 'Ready to work | gpt | 2 tools'],
    [{ model: 'service/auto', tools: 1 }, 'Ready to work | Auto | 1 tool'],
    [{ step: 4, files: true }, 'Went on at step 5'],
    [{ step: 4, files: false }, 'Went on at step 5, without the files so far'],
  ],
  clients: [
    [
      {
        profiles: ['aws:service', 'github:service-work'],
        leftOut: [{ connection: 'aws:old', reason: 'it is expired' }],
      },
      'Command-line accounts set up | Programs in the sandbox, such as git or aws, can use the workspace’s accounts. | Available: aws (service) and github (service-work). | Left out: aws:old, because it is expired.',
    ],
    [
      { profiles: 'none' },
      'Command-line accounts set up | Programs in the sandbox, such as git or aws, can use the workspace’s accounts.',
    ],
  ],
  setup: [
    [{ state: 'building', environment: 'node' }, 'Setting up the environment | node'],
    [{ state: 'waiting', environment: 'node' }, 'Waiting for another run that sets up the environment | node'],
    [{ state: 'ready', environment: 'node' }, 'The environment is set up | node'],
  ],
  installing: [[{ program: 'codex', version: '1.2' }, 'Installing codex | 1.2']],
  released: [[{ reason: 'worker_stopping' }, 'Interrupted by a restart of the service | worker stopping']],
  resumed: [[{}, 'Resumed, same attempt']],
  'snapshot.skipped': [[{ reason: 'too_large' }, 'Files not kept after this step | too large']],
};

it.each(Object.entries(SAID).flatMap(([event, rows]) => rows.map(([data, sentence]) => ({ event, data, sentence }))))(
  'says $event as: $sentence',
  ({ event, data, sentence }) => {
    expect(say(event, data)).toBe(sentence);
  },
);

it('shows a moment that it does not know by its name', () => {
  expect(say('constructor', { a: 1 })).toBe('constructor | a 1');
});
