import type { z } from 'zod';
import type { fault } from '../../../src/contract/receipts.ts';
import { plural } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';

export const receiptStrings = inLanguage('receiptStrings', {
  title: 'Receipts',
  failed: 'The receipts could not be loaded',
  description:
    'Background runs and tool calls over REST leave receipts in a hash chain; calls over MCP do not. Anyone can verify that no receipt was changed, removed or inserted.',
  streams: 'Streams',
  streamsText: 'Each stream is one chain. Open one to follow it, verify it or export it.',
  activity: 'Activity, latest first',
  filters: 'Filters',
  person: 'Person',
  anyone: 'Anyone',
  app: 'App',
  anyApp: 'Any app',
  tool: 'Tool',
  anyTool: 'Any tool',
  kind: 'Show',
  workspace: 'Workspace',
  anyWorkspace: 'All workspaces',
  since: 'From',
  until: 'To',
  clear: 'Clear filters',
  noMatch: 'No receipts match',
  noMatchText: 'Try another person, app or time, or show every receipt.',
  empty: 'No receipts yet',
  emptyText: 'Start a run, or call a tool through the REST address of a workspace: its receipts appear here.',
  openRuns: 'Open runs',
  openGateway: 'Open the MCP Gateway',
  ofWorkspace: (name: string): string => `Tool calls in ${name}`,
  organizationWide: 'the whole organization',
  run: 'Background run',
  runTo: (objective: string): string => `Run: ${objective}`,
  count: (receipts: number): string => plural(receipts, { one: '# receipt', other: '# receipts' }),
  head: 'Head',
  notFound: 'Stream not found',
  notFoundText: 'This stream does not exist, or you are not a member of its workspace.',
  back: 'All streams',
  verify: 'Verify',
  verifyText:
    'Verify: the server checks every hash and link of the chain. Verify in this browser: your browser downloads the chain and checks it itself, so that you need not trust the server.',
  openRun: 'Open run',
  verifyHere: 'Verify in this browser',
  export: 'Export',
  exported: 'Export downloaded. Check it offline with servicectl verify.',
  live: 'Live',
  isNew: 'New',
  liveOn: 'New receipts appear at the top as they are written.',
  liveLost: 'The live view was interrupted. Reconnecting…',
  list: 'Receipts, latest first',
  index: (index: number): string => `Receipt\u00a0${index}`,
  you: 'You',
  formerMember: 'A former member',
  evidence: 'Hash, link and contents',
  kindOf: 'Kind',
  actor: 'Actor',
  canonical: 'Text that the hash covers',
  hash: 'Hash',
  previous: 'Previous',
  genesis: 'Start of the stream',
  copyHash: 'Copy hash',
  copyPrevious: 'Copy previous hash',
  earlier: 'Load earlier receipts',
  latest: 'Show the latest',
  showAt: (index: number): string => `Show receipt ${index}`,
  missing: (index: number): string => `Receipt ${index} is missing`,
  verified: 'The chain is intact',
  verifiedText: (count: number): string =>
    plural(count, {
      one: '# receipt checked, from the first to the head.',
      other: '# receipts checked, from the first to the head.',
    }),
  verifiedHere: 'Your browser agrees: the chain is intact',
  verifiedHereText: (count: number): string =>
    plural(count, {
      one: 'Your browser downloaded the stream and computed the hash of its # receipt.',
      other: 'Your browser downloaded the stream and computed the hashes and links of all # receipts.',
    }),
  brokenHereBy: (index: number): string => `Your browser found the chain broken at receipt ${index}`,
  malformed: (why: string): string => `The downloaded stream cannot be read: ${why}.`,
  insecure:
    'This page was not loaded over HTTPS, so the browser cannot compute hashes. Export the stream and check it with servicectl verify.',
  broken: (index: number): string => `The chain is broken at receipt ${index}`,
  brokenHere: 'The chain breaks here.',
});

export const chainFaults = inLanguage('chainFaults', {
  hash_mismatch: 'Its contents do not match its hash: the receipt was changed after it was written.',
  prev_mismatch: 'It does not link to the previous hash: an earlier receipt was replaced.',
  index_gap: 'The receipt with this number is missing: it was removed.',
  head_mismatch: 'The chain does not end at its recorded head: receipts were cut off, rewritten or added.',
} satisfies Record<z.infer<typeof fault>, string>);

/** What a list of receipts shows. */
export const shownKinds = inLanguage('shownKinds', {
  '': 'Calls and runs',
  all: 'Every receipt',
  'tool.observed': 'Calls that succeeded',
  'tool.failed': 'Calls that failed',
  'tool.called': 'Calls that were started',
  'job.queued': 'Runs that were started',
  'job.completed': 'Runs that completed',
  'job.failed': 'Runs that failed',
  'job.aborted': 'Runs that were aborted',
  'job.progress': 'Steps of runs',
});

const about = (objective: string | undefined): string => (objective === undefined ? '' : `: ${objective}`);
const where = (app: string | undefined): string => (app === undefined ? '' : ` in ${app}`);
const why = (reason: string | number | undefined): string => (reason === undefined ? '' : ` (${reason})`);

/** A receipt as a sentence. */
export const receiptWords = inLanguage('receiptWords', {
  service: 'The service',
  theRun: 'The run',
  aTool: 'a tool',
  runOf: (who: string): string => (who === 'You' ? 'Your run' : `${who}’s run`),
  started: (by: string, tool: string, app: string | undefined): string => `${by} started ${tool}${where(app)}`,
  succeeded: (by: string, tool: string, app: string | undefined, status: number | undefined): string =>
    `${by} called ${tool}${where(app)}: succeeded${why(status)}`,
  failed: (by: string, tool: string, app: string | undefined, reason: string | number | undefined): string =>
    `${by} called ${tool}${where(app)}: failed${why(reason)}`,
  queued: (by: string, objective: string | undefined): string => `${by} started a run${about(objective)}`,
  begun: (run: string, objective: string | undefined): string => `${run} began${about(objective)}`,
  retried: (run: string, attempt: number | undefined, objective: string | undefined): string =>
    `${run} began again${attempt === undefined ? '' : ` (attempt ${attempt})`}${about(objective)}`,
  completed: (run: string, objective: string | undefined): string => `${run} completed${about(objective)}`,
  runFailed: (run: string, reason: string | undefined, objective: string | undefined): string =>
    `${run} failed${why(reason)}${about(objective)}`,
  abortedBy: (by: string, objective: string | undefined): string => `${by} aborted a run${about(objective)}`,
  aborted: (run: string, reason: string | undefined, objective: string | undefined): string =>
    `${run} was aborted${why(reason)}${about(objective)}`,
  ready: (run: string, model: string | undefined): string =>
    `${run} was ready to work${model === undefined ? '' : ` with ${model}`}`,
  model: (run: string, model: string | undefined): string =>
    `${run} got an answer from ${model === undefined ? 'its model' : model}`,
  step: (run: string, what: string): string => `${run}: ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
  stepFailed: (sentence: string, exit: number | undefined): string =>
    `${sentence}, which failed${exit === undefined ? '' : ` (exit code ${exit})`}`,
  clients: (run: string): string => `${run} was given its command-line accounts`,
  installing: (run: string, program: string | undefined): string => `${run} installed ${program ?? 'a program'}`,
  released: (run: string): string => `${run} was interrupted by a restart of the service`,
  resumed: (run: string): string => `${run} resumed`,
  progress: (run: string): string => `${run} made progress`,
  other: (by: string, kind: string): string => `${by} recorded ${kind}`,
});

/** A tool call by the verb that its name starts with; `#` stands for what follows. */
export const toolWords = inLanguage('toolWords', {
  verbs: {
    list: { ended: 'Listed #', running: 'Listing #' },
    get: { ended: 'Looked up #', running: 'Looking up #' },
    read: { ended: 'Read #', running: 'Reading #' },
    search: { ended: 'Searched #', running: 'Searching #' },
    find: { ended: 'Searched for #', running: 'Searching for #' },
    query: { ended: 'Queried #', running: 'Querying #' },
    create: { ended: 'Created #', running: 'Creating #' },
    post: { ended: 'Posted #', running: 'Posting #' },
    add: { ended: 'Added #', running: 'Adding #' },
    send: { ended: 'Sent #', running: 'Sending #' },
    update: { ended: 'Updated #', running: 'Updating #' },
    edit: { ended: 'Edited #', running: 'Editing #' },
    delete: { ended: 'Deleted #', running: 'Deleting #' },
    remove: { ended: 'Removed #', running: 'Removing #' },
    close: { ended: 'Closed #', running: 'Closing #' },
    merge: { ended: 'Merged #', running: 'Merging #' },
  },
  other: { ended: 'Called #', running: 'Calling #' },
  /** The tools that every run has, and those of Codex. */
  own: {
    bash: { ended: 'Ran a command', running: 'Running a command' },
    edit: { ended: 'Changed files', running: 'Changing files' },
    plan: { ended: 'Updated its plan', running: 'Updating its plan' },
  },
  /** One thing has an article, many have none. */
  thing: (phrase: string): string =>
    phrase.endsWith('s') ? phrase : `${/^[aeiou]/.test(phrase) ? 'an' : 'a'} ${phrase}`,
  inApp: (sentence: string, app: string): string => `${sentence} in ${app}`,
});
