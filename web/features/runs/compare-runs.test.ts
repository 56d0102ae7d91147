import { expect, it } from 'vitest';
import { compareRuns, type ComparedRun } from './compare-runs.ts';
import type { RunView } from './queries.ts';

const compared = (more: Partial<RunView>, rest: Partial<ComparedRun> = {}): ComparedRun => ({
  run: {
    id: 'job_1',
    organization: 'org_1',
    workspace: 'ws_1',
    kind: 'chat',
    objective: 'Count',
    status: 'completed',
    createdAt: '2026-01-01T00:00:00.000Z',
    startedAt: '2026-01-01T00:00:01.000Z',
    endedAt: '2026-01-01T00:00:31.000Z',
    attempt: 1,
    stream: 'jobs/job_1',
    createdBy: 'usr_1',
    capabilities: [],
    result: { text: 'Three', cost: 0.25 },
    ...more,
  },
  events: [],
  files: [],
  workspace: 'Default',
  modelName: (model) => model.toUpperCase(),
  titleOf: (step) => (step.type === 'tool' ? step.tool : ''),
  ...rest,
});

it('puts what was asked, how it ended and what it took side by side, and marks what differs', () => {
  const rows = compareRuns(
    compared({}, { files: [{ name: 'a.txt', size: 12 }] }),
    compared({
      model: 'gpt',
      status: 'failed',
      error: 'It broke.',
      result: undefined,
      endedAt: '2026-01-01T00:01:31.000Z',
      capabilities: ['github'],
      environment: 'node',
    }),
  );
  const shown = Object.fromEntries(rows.map(({ name, left, right, differs }) => [name, [left, right, differs]]));
  expect(shown).toEqual({
    Objective: ['Count', 'Count', false],
    Outcome: ['Completed', 'Failed: It broke.', true],
    Answer: ['Three', '–', true],
    Model: ['Automatic', 'GPT', true],
    Kind: ['Chat', 'Chat', false],
    Workspace: ['Default', 'Default', false],
    Capabilities: ['–', '@github', true],
    Environment: ['–', 'node', true],
    Attempts: ['1', '1', false],
    Took: ['30 s', '1 min 30 s', true],
    Waited: ['1 s', '1 s', false],
    'Model calls': ['0', '0', false],
    'Tool calls': ['0', '0', false],
    Tokens: ['0 in, 0 out', '0 in, 0 out', false],
    Cost: ['$0.25', '–', true],
    Steps: ['–', '–', false],
    Files: ['a.txt (12 B)', '–', true],
  });
});
