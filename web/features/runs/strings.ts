import { joinWords } from '../../../src/contract/join-words.ts';
import type { ServerTexts } from '../../api/error-strings.ts';
import type { RunView, RunKind, RunStatus } from './queries.ts';
import { formatNumber, plural } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';

export const statusNames = inLanguage('statusNames', {
  queued: 'Queued',
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  aborted: 'Aborted',
} satisfies Record<RunStatus, string>);

export const kindNames = inLanguage('kindNames', { chat: 'Chat', control: 'Control', codex: 'Codex' } satisfies Record<
  RunKind,
  string
>);

export const kindTexts = inLanguage('kindTexts', {
  chat: 'A model with a shell and the workspace’s tools.',
  control: 'Like Chat, on the control workers.',
  codex: 'Codex, for longer coding tasks.',
} satisfies Record<RunKind, string>);

export const startedWithNames = inLanguage('startedWithNames', {
  session: 'A signed-in session',
  token: 'A token',
  grant: 'An approved app',
} satisfies Record<NonNullable<RunView['startedWith']>, string>);

export type Starter = 'sch' | 'trg' | 'rcp';

/** What has started a run, by what its id begins with. */
export const starterTexts = inLanguage('starterTexts', {
  sch: {
    title: 'Schedule',
    named: (name: string): string => `by the schedule ${name}`,
    unnamed: 'by a schedule',
  },
  trg: {
    title: 'Trigger',
    named: (name: string): string => `by the trigger ${name}`,
    unnamed: 'by a trigger',
  },
  rcp: {
    title: 'Recipe',
    named: (name: string): string => `from the recipe ${name}`,
    unnamed: 'from a recipe',
  },
} satisfies Record<Starter, { title: string; named: (name: string) => string; unnamed: string }>);

/** What a run may do with connected apps, by the scopes that it was started with. */
export const describeReach = inLanguage('describeReach', (scopes: readonly string[]): string => {
  if (scopes.includes('connect:write')) return 'may use connected apps';
  return scopes.includes('connect:read') ? 'may only read from connected apps' : 'no connected apps';
});

/** Announced to screen readers when a run on the page changes. */
export const statusNews = inLanguage('statusNews', {
  queued: 'The run is queued.',
  running: 'The run has started.',
  completed: 'The run is complete.',
  failed: 'The run has failed.',
  aborted: 'The run was aborted.',
} satisfies Record<RunStatus, string>);

export const runStrings = inLanguage('runStrings', {
  title: 'Runs',
  listFailed: 'Your runs could not be loaded',
  description:
    'A run works toward an objective in the background, in a sandbox, and leaves receipts of everything it does.',
  list: 'Runs, latest first',
  environment: 'Environment',
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
  anyModel: 'Automatic',
  capabilities: 'Capabilities',
  noCapabilities: 'None',
  funding: 'Paid by',
  fundedByOrganization: 'The organization',
  by: 'Started by',
  you: 'You',
  unknownPerson: 'A colleague',
  created: 'Started',
  attempt: 'Attempt',
  sandbox: 'Sandbox',
  waiting: 'Why it is waiting',
  answer: 'Answer',
  noAnswer: 'The run ended without an answer.',
  failed: 'Why it failed',
  abortedWhy: 'Why it was aborted',
  startedWith: 'Started with',
  artifacts: 'Files',
  download: 'Download',
  steps: 'Steps',
  about: 'About this run',
  details: 'Details',
  noSteps: 'Nothing has happened yet.',
  stepsFailed: 'The steps could not be loaded.',
  artifactsFailed: 'The files could not be loaded.',
  receipts: 'Receipts',
  receiptsText: 'Every step is in a hash chain that anyone can verify.',
  openReceipts: 'Open receipts',
  verify: 'Verify',
  again: 'Run again with changes',
  compare: 'Compare',
  follow: 'Follow',
  preview: 'Preview',
  hidePreview: 'Hide preview',
  abort: 'Abort',
  abortTitle: 'Abort this run?',
  abortText: 'It stops immediately. What it has done so far is kept, along with its receipts.',
  aborted: 'The run was aborted.',
  open: 'Open run',
  card: 'Background run',
  lost: 'You can no longer see this run: you are not a member of its workspace.',
});

/** Shown before a run is started. */
export const startRunStrings = inLanguage('startRunStrings', {
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
});

export const stepStrings = inLanguage('stepStrings', {
  answer: 'Model answer',
  thought: 'The model chose the next step',
  message: 'A message',
  running: 'in progress',
  cutOff: 'interrupted',
  unknownEnd: 'interrupted; how it ended is unknown',
  waiting: 'Waiting for the model',
  liveOutput: 'Output so far',
  input: 'Input',
  output: 'Output',
  tokens: (input: number, output: number): string => `${formatNumber(input)} tokens in, ${formatNumber(output)} out`,
  exit: (code: number): string => `exit code ${code}`,
  failed: 'failed',
  after: (duration: string): string => `after ${duration}`,
});

export const momentStrings = inLanguage('momentStrings', {
  queued: 'Queued',
  started: 'Started',
  retried: 'Started again',
  completed: 'Completed',
  failed: 'Failed',
  aborted: 'Aborted',
  progress: 'Progress',
  began: 'Ready to work',
  wentOn: (step: number): string => `Went on at step ${step}`,
  wentOnWithoutFiles: (step: number): string => `Went on at step ${step}, without the files so far`,
  notKept: 'Files not kept after this step',
  released: 'Interrupted by a restart of the service',
  resumed: 'Resumed, same attempt',
  setup: {
    building: 'Setting up the environment',
    waiting: 'Waiting for another run that sets up the environment',
    ready: 'The environment is set up',
  },
  installing: (program: string | undefined): string => `Installing ${program ?? 'a program'}`,
  tools: (count: number): string => plural(count, { one: '# tool', other: '# tools' }),
  attempt: (attempt: number): string => `attempt ${attempt}`,
  changes: 'Changed the repository',
  checkout: 'Checked out the repository',
  delivered: 'Pushed',
  notDelivered: 'Nothing was pushed',
  files: (count: number): string => plural(count, { one: '# file', other: '# files' }),
  clients: 'Command-line accounts set up',
  clientsText: 'Programs in the sandbox, such as git or aws, can use the workspace’s accounts.',
  profiles: (profiles: readonly string[]): string =>
    `Available: ${joinWords(profiles.map((profile) => profile.replace(/^([^:]+):(.+)$/, '$1 ($2)')))}.`,
  leftOut: (connection: string, reason: string): string => `Left out: ${connection}, because ${reason}.`,
});

/** The cap that a run's cost counts against. */
export const budgetStrings = inLanguage('budgetStrings', {
  left: (remaining: string, limit: string, name: string | undefined): string =>
    `${remaining} of ${limit} is left this month for ${name ?? 'you'}`,
  thisRun: 'This run, in percent',
  others: 'Everything else this month, in percent',
});

export const figureStrings = inLanguage('figureStrings', {
  title: 'Time and cost',
  took: 'Took',
  soFar: 'Running for',
  waited: 'Waited',
  now: 'Now',
  modelCalls: 'Model calls',
  modelCallsOf: (count: number, waits: boolean): string => (waits ? `${count}, 1 in progress` : String(count)),
  toolCalls: 'Tool calls',
  toolCallsOf: (count: number, failed: number): string => (failed === 0 ? String(count) : `${count}, ${failed} failed`),
  tokens: 'Tokens',
  tokensOf: (input: number, output: number): string => `${formatNumber(input)} in, ${formatNumber(output)} out`,
  cost: 'Cost',
  noCost: 'Not recorded',
  noCostYet: 'None yet',
  costHint: 'At the catalogue’s prices, no matter who pays.',
});

export const runFileStrings = inLanguage('runFileStrings', {
  loading: 'Loading the preview…',
  failed: 'The preview could not be loaded.',
  empty: 'This file is empty.',
  notText: 'This file is not text. Download it to open it.',
  cut: (shown: string, size: string): string => `The first ${shown} of ${size}. Download the file to see all of it.`,
  tableCut: (rows: number): string =>
    `Only the beginning is shown, at most ${rows} rows. Download the file to see all of it.`,
  html: 'Static preview: scripts and network access are off.',
  source: 'Show source',
  page: 'Show page',
  frame: (name: string): string => `Preview of ${name}`,
  table: (name: string): string => `Rows of ${name}`,
});

export const compareStrings = inLanguage('compareStrings', {
  title: 'Compare two runs',
  description: 'The same task with another model, other words or other tools: what changed, side by side.',
  choose: 'Compare with another run',
  other: 'Other run',
  otherHint: 'The latest 30 runs that you can see.',
  none: 'There is no other run to compare with yet.',
  submit: 'Compare',
  swap: 'Swap sides',
  open: 'Open run',
  different: 'Only differences',
  what: 'What',
  left: 'First run',
  right: 'Second run',
  missing: 'Choose two runs to compare: open a run and select Compare.',
  rows: {
    objective: 'Objective',
    outcome: 'Outcome',
    answer: 'Answer',
    model: 'Model',
    kind: 'Kind',
    workspace: 'Workspace',
    capabilities: 'Capabilities',
    environment: 'Environment',
    attempts: 'Attempts',
    took: 'Took',
    waited: 'Waited',
    modelCalls: 'Model calls',
    toolCalls: 'Tool calls',
    tokens: 'Tokens',
    cost: 'Cost',
    steps: 'Steps',
    files: 'Files',
  },
  nothing: '–',
});

/** Why a run waits, by reason; a reason that is not listed shows the server's message. */
export const waitingTexts = inLanguage<Readonly<Record<string, string>>>('waitingTexts', {});

/** Why a run failed or was aborted, by code; a code that is not listed has the server's words. A function gets them. */
export const endTexts = inLanguage<ServerTexts>('endTexts', {});
