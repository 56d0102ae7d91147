import type { Run, RunKind, RunStatus } from './queries.ts';

export const statusNames = {
  queued: 'Queued',
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  aborted: 'Aborted',
} as const satisfies Record<RunStatus, string>;

export const kindNames = { chat: 'Chat', control: 'Control', codex: 'Codex' } as const satisfies Record<
  RunKind,
  string
>;

export const kindTexts = {
  chat: 'A model with a shell and the tools of the workspace.',
  control: 'The same, on the workers for control work.',
  codex: 'Codex, for longer work on code.',
} as const satisfies Record<RunKind, string>;

export const startedWithNames = {
  session: 'A signed-in session',
  token: 'A token',
  grant: 'An approved app',
} as const satisfies Record<NonNullable<Run['startedWith']>, string>;

/** What a run may do with connected apps, by the scopes that it was started with. */
export function describeReach(scopes: readonly string[]): string {
  if (scopes.includes('connect:write')) return 'may use connected apps';
  return scopes.includes('connect:read') ? 'may only read from connected apps' : 'no connected apps';
}

/** Read out when a run that is on the page changes. */
export const statusNews = {
  queued: 'The run is queued.',
  running: 'The run has begun.',
  completed: 'The run is complete.',
  failed: 'The run has failed.',
  aborted: 'The run was aborted.',
} as const satisfies Record<RunStatus, string>;

export const runStrings = {
  title: 'Runs',
  description: 'A run works on an objective in the background, in a sandbox, and leaves receipts of all it does.',
  list: 'Runs, the latest first',
  start: 'Start a run',
  empty: 'No runs yet',
  emptyText: 'Give the platform an objective, and go on with something else while it works.',
  noMatch: 'No run matches',
  noMatchText: 'No run of your workspaces fits these filters.',
  clear: 'Clear filters',
  filters: 'Filters',
  status: 'Status',
  anyStatus: 'Any status',
  kind: 'Kind',
  anyKind: 'Any kind',
  workspace: 'Workspace',
  anyWorkspace: 'All workspaces',
  goneWorkspace: 'A removed workspace',
  notFound: 'Run not found',
  notFoundText: 'There is no such run, or you are not a member of its workspace.',
  back: 'All runs',
  objective: 'Objective',
  model: 'Model',
  anyModel: 'Chosen by the service',
  capabilities: 'Capabilities',
  noCapabilities: 'None named',
  funding: 'Paid by',
  fundedByOrganization: 'The organization',
  by: 'Started by',
  you: 'you',
  somebody: 'a colleague',
  created: 'Started',
  took: 'Took',
  soFar: 'Running for',
  attempt: 'Attempt',
  sandbox: 'Sandbox',
  waiting: 'Why it waits',
  answer: 'Answer',
  noAnswer: 'It left no words.',
  failed: 'Why it failed',
  abortedWhy: 'Why it was aborted',
  startedWith: 'Acts with',
  artifacts: 'Files',
  download: 'Download',
  steps: 'Steps',
  noSteps: 'Nothing has happened yet.',
  stepsFailed: 'The steps cannot be shown.',
  artifactsFailed: 'The files cannot be shown.',
  receipts: 'Receipts',
  receiptsText: 'Every step is in a hash chain that anybody can verify.',
  openReceipts: 'Open receipts',
  verify: 'Verify',
  again: 'Run again',
  abort: 'Abort',
  abortTitle: 'Abort this run?',
  abortText: 'It ends at once. What it has done so far stays, and so do its receipts.',
  aborted: 'The run was aborted.',
  open: 'Open run',
  card: 'Background run',
  lost: 'This run can no longer be seen: it belongs to a workspace that you are not in.',
} as const;

/** Said before somebody starts a run. */
export const sandboxStrings = {
  off: 'Runs are off on this deployment',
  offText: 'No safe sandbox can be made here, so no run can be started. Everything else works.',
  why: (reason: string): string => `Reason: ${reason}.`,
  unreachable: 'New runs have to wait',
  unreachableText: 'The sandbox controller does not answer. A run that you start now begins as soon as it does.',
  fix: (fix: string): string => `What your operator can do: ${fix}.`,
} as const;

export const startRunStrings = {
  title: 'Start a run',
  objective: 'Objective',
  objectiveHint: 'What is to be done, in words. The run sees nothing else of what you know.',
  objectiveRequired: 'Say what is to be done.',
  kind: 'Kind',
  workspace: 'Workspace',
  workspaceHint: 'Whose connections it may use, and whose members see it.',
  model: 'Model',
  modelHint: 'Runs call OpenAI: only models that it serves are listed.',
  capabilities: 'Capabilities',
  capabilitiesHint: 'Apps that the run needs. It does not start without them.',
  noCapabilities: 'Nothing is connected to this workspace.',
  connect: 'Connect an app',
  funding: 'Paid by',
  fundingHint: 'Whose provider key is used. Without one, platform credit pays.',
  submit: 'Start run',
  started: 'The run has started.',
} as const;

export const stepStrings = {
  'job.queued': 'Queued',
  'job.started': 'Begun',
  'job.retried': 'Begun again',
  'job.completed': 'Completed',
  'job.failed': 'Failed',
  'job.aborted': 'Aborted',
  'job.progress': 'Progress',
  began: 'Ready to work',
  released: 'Interrupted by a restart of the service',
  resumed: 'Begun again, same attempt',
  said: 'Answer of the model',
  tool: (name: string): string => (name === 'bash' ? 'Command' : name),
  running: 'under way',
  input: 'Input',
  output: 'Output',
  noOutput: 'No output',
  tokens: (input: number, output: number): string =>
    `${input.toLocaleString()} tokens in, ${output.toLocaleString()} out`,
  exit: (code: number): string => `exit code ${code}`,
  refused: 'refused',
  ms: (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`),
  attempt: (attempt: number): string => `attempt ${attempt}`,
} as const;
