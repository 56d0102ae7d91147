import type { RunView, RunKind, RunStatus } from './queries.ts';

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
  chat: 'A model with a shell and the workspace’s tools.',
  control: 'The same, on the control workers.',
  codex: 'Codex, for longer coding tasks.',
} as const satisfies Record<RunKind, string>;

export const startedWithNames = {
  session: 'A signed-in session',
  token: 'A token',
  grant: 'An approved app',
} as const satisfies Record<NonNullable<RunView['startedWith']>, string>;

/** What a run may do with connected apps, by the scopes that it was started with. */
export function describeReach(scopes: readonly string[]): string {
  if (scopes.includes('connect:write')) return 'may use connected apps';
  return scopes.includes('connect:read') ? 'may only read from connected apps' : 'no connected apps';
}

/** Announced to screen readers when a run on the page changes. */
export const statusNews = {
  queued: 'The run is queued.',
  running: 'The run has started.',
  completed: 'The run is complete.',
  failed: 'The run has failed.',
  aborted: 'The run was aborted.',
} as const satisfies Record<RunStatus, string>;

export const runStrings = {
  title: 'Runs',
  description:
    'A run works toward an objective in the background, in a sandbox, and leaves receipts of everything it does.',
  list: 'Runs, latest first',
  start: 'Start a run',
  empty: 'No runs yet',
  emptyText: 'Start a run with an objective, and do something else while it works.',
  noMatch: 'No runs match',
  noMatchText: 'No runs in your workspaces match these filters.',
  clear: 'Clear filters',
  filters: 'Filters',
  status: 'Status',
  anyStatus: 'Any status',
  kind: 'Kind',
  anyKind: 'Any kind',
  workspace: 'Workspace',
  anyWorkspace: 'All workspaces',
  goneWorkspace: 'Deleted workspace',
  notFound: 'Run not found',
  notFoundText: 'This run does not exist, or you are not a member of its workspace.',
  back: 'All runs',
  objective: 'Objective',
  model: 'Model',
  anyModel: 'Chosen by the service',
  capabilities: 'Capabilities',
  noCapabilities: 'None',
  funding: 'Paid by',
  fundedByOrganization: 'The organization',
  by: 'Started by',
  you: 'you',
  unknownPerson: 'a colleague',
  created: 'Started',
  took: 'Took',
  soFar: 'Running for',
  attempt: 'Attempt',
  sandbox: 'Sandbox',
  waiting: 'Why it is waiting',
  answer: 'Answer',
  noAnswer: 'The run left no answer.',
  failed: 'Why it failed',
  abortedWhy: 'Why it was aborted',
  startedWith: 'Started with',
  artifacts: 'Files',
  download: 'Download',
  steps: 'Steps',
  noSteps: 'Nothing has happened yet.',
  stepsFailed: 'The steps could not be loaded.',
  artifactsFailed: 'The files could not be loaded.',
  receipts: 'Receipts',
  receiptsText: 'Every step is in a hash chain that anyone can verify.',
  openReceipts: 'Open receipts',
  verify: 'Verify',
  again: 'Run again',
  abort: 'Abort',
  abortTitle: 'Abort this run?',
  abortText: 'It stops immediately. What it has done so far is kept, along with its receipts.',
  aborted: 'The run was aborted.',
  open: 'Open run',
  card: 'Background run',
  lost: 'You can no longer see this run: you are not a member of its workspace.',
} as const;

/** Shown before a run is started. */
export const sandboxStrings = {
  off: 'Runs are unavailable on this deployment',
  offText: 'A secure sandbox cannot be created here, so runs cannot be started. Everything else works.',
  why: (reason: string): string => `Reason: ${reason}.`,
  unreachable: 'New runs have to wait',
  unreachableText: 'The sandbox controller is not responding. Runs you start now begin as soon as it does.',
  fix: (fix: string): string => `What your operator can do: ${fix}.`,
} as const;

export const startRunStrings = {
  title: 'Start a run',
  objective: 'Objective',
  objectiveHint: 'Describe the task. The run knows only what you write here.',
  objectiveRequired: 'Enter an objective.',
  kind: 'Kind',
  workspace: 'Workspace',
  workspaceHint: 'The run can use its connections, and its members can see the run.',
  model: 'Model',
  modelHint: 'Runs use OpenAI, so only its models are listed.',
  capabilities: 'Capabilities',
  capabilitiesHint: 'Apps the run needs. It does not start without them.',
  noCapabilities: 'No apps are connected to this workspace.',
  connect: 'Connect an app',
  funding: 'Paid by',
  fundingHint: 'Whose provider key is used. Without a key, the run uses platform credit.',
  submit: 'Start run',
  started: 'The run has started.',
} as const;

export const stepStrings = {
  'job.queued': 'Queued',
  'job.started': 'Started',
  'job.retried': 'Started again',
  'job.completed': 'Completed',
  'job.failed': 'Failed',
  'job.aborted': 'Aborted',
  'job.progress': 'Progress',
  began: 'Ready to work',
  released: 'Interrupted by a service restart',
  resumed: 'Resumed, same attempt',
  answer: 'Model answer',
  tool: (name: string): string => (name === 'bash' ? 'Command' : name),
  running: 'in progress',
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
