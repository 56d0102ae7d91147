// Every limit on what a sender can make the service do, for docs/contributors/limits.md. The limits of requests are the
// table of admission (src/http/shell/admission/limits.ts). The others stay apart because they count something else, or
// count elsewhere; each is a row here, with the files that refuse. A refusal in any other file fails the check.
import { ENVIRONMENT } from '../src/base/environment.ts';
import { JSON_LIMITS } from '../src/base/json-scanner.ts';
import { ATTACHMENT_LIMITS } from '../src/contract/attachments.ts';
import { MOST_ACCOUNTS } from '../src/contract/accounts/account-kinds.ts';
import { ENVIRONMENT_LIMITS } from '../src/contract/environments/environment-rules.ts';
import { RECIPE_LIMITS } from '../src/contract/recipes/fill-recipe.ts';
import { ROUTE_LIMITS } from '../src/contract/routes/route-rules.ts';
import { IMPORT_LIMITS } from '../src/contract/imports/import-words.ts';
import { PROJECT_LIMITS } from '../src/contract/project-limits.ts';
import { ROUTE_COSTS } from '../src/contract/route-cost.ts';
import { PACE } from '../src/gateway/pace-answers.ts';
import {
  ATTEMPTS,
  BODIES,
  type BodyRow,
  BODY_MEMORY,
  BODY_PACE,
  EXPORTS,
  PERSONAL_EXPORTS,
  LARGE_BODY_BYTES,
  LARGE_BYTES_PER_MINUTE,
  MAX_HASHES,
  MORE_FROM_THIS_MACHINE,
  type PlaceRow,
  PLACES,
  WAIT_MS,
  WAITING,
} from '../src/http/shell/admission/limits.ts';
import { MESSAGE_LIMITS } from '../src/runs/record/messages.ts';
import { MOST_PENDING_LINKS } from '../src/http/web/reset-routes.ts';
import { MAIL_LIMITS } from '../src/mail/mail-limits.ts';
import { MAX_STREAMS, STREAM_KINDS } from '../src/http/shell/streams/stream-kinds.ts';
import { STORED_LIMITS } from '../src/stored-responses/stored-response.ts';
import { EXPORT_LIMITS } from '../src/threads/imports/open-export.ts';
import { MOST_MESSAGES } from '../src/threads/imports/read-element.ts';
import { MOST_ELEMENTS } from '../src/threads/imports/run-import.ts';
import { MOST_VERSIONS } from '../src/threads/versions.ts';
import { REREADS_PER_MINUTE } from '../src/identity/openid/provider-keys.ts';
import { MOST_TOKENS } from '../src/scim/tokens/scim-tokens.ts';
import { MOST_PASSKEYS } from '../src/identity/factors/passkeys.ts';
import { WRONG_GUESSES } from '../src/identity/passwords/guess-limit.ts';
import { MOST_TRANSLATED_ITEMS } from '../src/model-providers/codecs/refuse-too-many.ts';

interface LimitRow {
  readonly what: string;
  readonly whom: string;
  readonly most: string;
  readonly refusal: string;
  readonly why: string;
  readonly files: readonly string[];
}

const number = (value: number): string => value.toLocaleString('en');
const size = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${number(bytes / 1024 / 1024)} MiB` : `${number(bytes / 1024)} KiB`;
const variable = (name: keyof typeof ENVIRONMENT): string => {
  const row = ENVIRONMENT[name];
  return `\`${name}\`${'default' in row ? ` (${String(row.default)})` : ''}`;
};

/** Files of admission itself. */
export const ADMISSION_FILES: readonly string[] = [
  'src/http/shell/admission/admission.ts',
  'src/http/shell/admission/places.ts',
  'src/http/shell/read-body.ts',
  'src/http/shell/streams/open-streams.ts',
];

export const APART: readonly LimitRow[] = [
  {
    what: 'chat requests in any 60 seconds',
    whom: 'person, over all processes',
    most: variable('SERVICE_CHAT_REQUESTS_PER_MINUTE'),
    refusal: '429 `rate_limited`',
    why: 'promised to the second, so it is taken in the admission statement or in Redis',
    files: ['src/turns/take-from-limit.ts'],
  },
  {
    what: 'money: budget, caps, the month of the deployment',
    whom: 'organization; member, workspace, token; deployment',
    most: 'plan, caps, `SERVICE_PLATFORM_MONTHLY_LIMIT_USD`',
    refusal: '429 `quota_exceeded`, `cap_reached`',
    why: 'exact over all processes, taken in the same statement',
    files: ['src/turns/take-from-limit.ts', 'src/turns/call-model-for-run.ts'],
  },
  {
    what: 'exports of conversations in progress',
    whom: 'person; everyone',
    most: `${EXPORTS.each}; ${EXPORTS.total}, together 8 MiB a second`,
    refusal: '429 `rate_limited`',
    why: 'an export goes on after its request has given its place back',
    files: ['src/http/web/export-routes.ts'],
  },
  {
    what: 'archives of everything of a person in progress',
    whom: 'person; everyone',
    most: `${PERSONAL_EXPORTS.each}; ${PERSONAL_EXPORTS.total}`,
    refusal: '409 `export_in_progress`; 429 `rate_limited`',
    why: 'it goes on for as long as the client reads',
    files: ['src/http/web/personal-export-route.ts'],
  },
  {
    what: 'MCP requests a minute',
    whom: 'person',
    most: variable('SERVICE_MCP_REQUESTS_PER_MINUTE'),
    refusal: "429 in the protocol's shape",
    why: 'operators set it',
    files: ['src/http/mcp/mcp-route.ts', 'src/http/mcp/mcp-endpoint.ts'],
  },
  {
    what: 'wrong passwords and codes in 15 minutes',
    whom: 'account by strangers; account by known browsers; network',
    most: `${WRONG_GUESSES.byStrangers}; ${WRONG_GUESSES.byKnownBrowsers}; ${WRONG_GUESSES.fromOneNetwork}`,
    refusal: '429 `rate_limited`',
    why: 'only a wrong one counts, so it is known after the work',
    files: ['src/identity/passwords/guess-limit.ts'],
  },
  {
    what: 'mail that somebody else causes, in an hour and a day',
    whom: 'address; person who causes it; everyone',
    most: `links for a new password ${MAIL_LIMITS['reset-password']?.perHour} and ${MAIL_LIMITS['reset-password']?.perDay}, the others in [mail](../operators/mail.md#limits)`,
    refusal: '429 `rate_limited`; for a lost password none, the answer is always the same',
    why: 'it protects people outside, so it holds over all processes and restarts',
    files: ['src/mail/mail-limits.ts'],
  },
  {
    what: 'links for lost passwords that are being made',
    whom: 'everyone',
    most: String(MOST_PENDING_LINKS),
    refusal: '429 `rate_limited`',
    why: 'the work goes on after the answer, whose time must not tell whether there is an account',
    files: ['src/http/web/reset-routes.ts'],
  },
  {
    what: 'times that the signing keys of the OpenID provider are read again in a minute, for a token with an unknown one',
    whom: 'web server',
    most: `${REREADS_PER_MINUTE}`,
    refusal: 'the token is refused',
    why: 'it limits what we ask of the provider, no matter who sends such tokens',
    files: ['src/identity/openid/provider-keys.ts'],
  },
  {
    what: 'SCIM tokens',
    whom: 'organization',
    most: `${MOST_TOKENS}`,
    refusal: '409 `too_many_scim_tokens`',
    why: 'one in use, and one to change to',
    files: ['src/scim/tokens/scim-tokens.ts'],
  },
  {
    what: 'passkeys',
    whom: 'person',
    most: `${MOST_PASSKEYS}`,
    refusal: '409 `too_many_passkeys`',
    why: 'what is stored',
    files: ['src/identity/factors/register-passkey.ts'],
  },
  {
    what: 'refusals and health answers a second, at the gateway',
    whom: 'network',
    most: `${PACE.perSecond}, after a burst of ${number(PACE.burst)}; later ones wait, up to ${PACE.mostWaitMs / 1000} s`,
    refusal: 'the connection is closed',
    why: 'another process, in front of all others',
    files: ['src/gateway/pace-answers.ts'],
  },
  {
    what: 'queued runs',
    whom: 'person',
    most: variable('SERVICE_RUNS_QUEUED_PER_PERSON'),
    refusal: '429 `too_many_runs`',
    why: 'counted with the run it would add, in one statement',
    files: ['src/runs/record/insert-run.ts'],
  },
  {
    what: 'runs of schedules that are started at once',
    whom: 'api process; organizations take turns',
    most: '8, of 50 that it has claimed',
    refusal: 'they wait',
    why: 'nobody waits for an answer; a crowd is spread over 40 s',
    files: ['src/runs/schedules/run-schedules.ts'],
  },
  {
    what: 'schedules',
    whom: 'person',
    most: variable('SERVICE_SCHEDULES_PER_PERSON'),
    refusal: '429 `too_many_schedules`',
    why: 'counted in the transaction that adds one',
    files: ['src/runs/schedules/save-schedule.ts'],
  },
  {
    what: 'subscriptions',
    whom: 'workspace; the organization as a whole',
    most: variable('SERVICE_SUBSCRIPTIONS_PER_WORKSPACE'),
    refusal: '429 `too_many_subscriptions`',
    why: 'counted in the transaction that adds one',
    files: ['src/subscriptions/subscriptions.ts'],
  },
  {
    what: 'triggers',
    whom: 'workspace',
    most: variable('SERVICE_TRIGGERS_PER_WORKSPACE'),
    refusal: '429 `too_many_triggers`',
    why: 'counted in the transaction that adds one',
    files: ['src/runs/triggers/change-triggers.ts'],
  },
  {
    what: 'messages to a run while it works',
    whom: 'run',
    most: String(MESSAGE_LIMITS.perRun),
    refusal: '429 `too_many_messages`',
    why: 'counted in the row of the run, in the statement that adds one',
    files: ['src/runs/record/messages.ts'],
  },
  {
    what: 'runs in progress',
    whom: 'worker process; organization, while others wait',
    most: '`SERVICE_BROKER_EXECUTE_CONCURRENCY`; `SERVICE_RUNS_SHARE_PERCENT`',
    refusal: 'they wait',
    why: 'the broker hands them out',
    files: ['src/runs/delivery/serve-executions.ts', 'src/runs/delivery/dispatch-run.ts'],
  },
  {
    what: 'bytes of attachments, project files, artifacts and kept workspaces',
    whom: 'organization',
    most: variable('SERVICE_STORAGE_PER_ORGANIZATION_BYTES'),
    refusal: '413 `storage_full`',
    why: 'what is stored, not what is requested',
    files: ['src/enforcement/storage.ts', 'src/threads/imports/imports.ts'],
  },
  {
    what: 'imports that have not ended; bytes of a file of chats',
    whom: 'person',
    most: `1; ${variable('SERVICE_IMPORT_MAX_MIB')} MiB, in parts of ${size(IMPORT_LIMITS.partBytes)}`,
    refusal: '409 `import_in_progress`, 413 `import_too_large`',
    why: 'an import goes on after its requests; the size is refused before the file is sent',
    files: ['src/threads/imports/imports.ts'],
  },
  {
    what: 'bytes of a conversation in an import; its messages; what an archive unpacks to; its entries; conversations',
    whom: 'conversation; file',
    most: `${size(EXPORT_LIMITS.elementBytes)}; ${number(MOST_MESSAGES)}; ${EXPORT_LIMITS.ratio} times its size; ${number(EXPORT_LIMITS.entries)}; ${number(MOST_ELEMENTS)}`,
    refusal: 'a conversation is left out, and the report says so; a file fails with `file_too_complex`',
    why: 'a conversation is read in memory and stored in one transaction',
    files: ['src/threads/imports/run-import.ts'],
  },
  {
    what: 'bytes of one file; of files that are not sent yet',
    whom: 'file; person',
    most: `${size(ATTACHMENT_LIMITS.bytes)}, ${size(PROJECT_LIMITS.bytes)} in a project; 200 MiB`,
    refusal: '413 `request_too_large`',
    why: 'of the file itself, without the form around it',
    files: ['src/documents/attachments/store-attachment.ts', 'src/documents/projects/project-files.ts'],
  },
  {
    what: 'projects; files of a project; prompts; versions of a message; routes; Models accounts',
    whom: 'workspace, and person in it; project; person and workspace; message; organization; workspace and organization',
    most: `${PROJECT_LIMITS.projects}; ${PROJECT_LIMITS.files}; 500; ${MOST_VERSIONS}; ${ROUTE_LIMITS.routes}; ${MOST_ACCOUNTS}`,
    refusal: '409 `too_many_…`',
    why: 'what is stored',
    files: [
      'src/documents/projects/projects.ts',
      'src/documents/projects/project-files.ts',
      'src/threads/prompts/prompts.ts',
      'src/threads/prepare-turn.ts',
      'src/turns/routes/model-routes.ts',
      'src/keys/models-account.ts',
    ],
  },
  {
    what: 'recipes; places of one to fill in; characters of a value',
    whom: 'workspace; recipe; field',
    most: `${RECIPE_LIMITS.recipes}; ${RECIPE_LIMITS.places}; ${number(RECIPE_LIMITS.value)}`,
    refusal: '409 `too_many_recipes`; 400 `invalid_request`',
    why: 'what is stored, and how long a filled objective can become before its own bound is checked',
    files: ['src/runs/recipes/change-recipe.ts'],
  },
  {
    what: 'environments; variables, secrets and hosts of one; bytes of its script',
    whom: 'workspace; environment',
    most: `${ENVIRONMENT_LIMITS.environments}; ${ENVIRONMENT_LIMITS.variables}, ${ENVIRONMENT_LIMITS.secrets} and ${ENVIRONMENT_LIMITS.hosts}; ${size(ENVIRONMENT_LIMITS.setupBytes)}`,
    refusal: '409 `too_many_environments`; 400 `invalid_request`',
    why: 'what is stored; counted in the transaction that adds one',
    files: ['src/runs/environments/change-environment.ts'],
  },
  {
    what: 'a conversation by reference',
    whom: 'request',
    most: `${size(STORED_LIMITS.conversationBytes)}, ${number(STORED_LIMITS.conversationResponses)} responses`,
    refusal: '413 `request_too_large`',
    why: 'known once it is looked up; its bytes count in the same share as bodies',
    files: ['src/stored-responses/refuse-too-long.ts'],
  },
  {
    what: 'messages, parts and tools that are translated',
    whom: 'request',
    most: number(MOST_TRANSLATED_ITEMS),
    refusal: '400 `invalid_request`',
    why: 'only where a request changes its protocol',
    files: ['src/model-providers/codecs/refuse-too-many.ts'],
  },
  {
    what: 'documents, guardrail rules and large bodies on threads',
    whom: 'everyone',
    most: '50, 50 and 16 waiting',
    refusal: '429 `rate_limited`',
    why: 'the threads of a process; a request has passed admission before',
    files: [
      'src/documents/attachments/extract-text.ts',
      'src/enforcement/guardrails/evaluate-rules.ts',
      'src/turns/bodies/body-threads.ts',
    ],
  },
  {
    what: "a tool's arguments",
    whom: 'call',
    most: size(BODIES.tool.bytes),
    refusal: '413 `request_too_large`',
    why: 'once they are in the form that the app receives',
    files: ['src/tools/map-arguments.ts', 'src/tools/surfaces/provider-mcp.ts'],
  },
  {
    what: 'files of a run',
    whom: 'file',
    most: '64 MiB',
    refusal: '413 `request_too_large`',
    why: 'inside the sandbox controller',
    files: ['src/sandbox/workspace-files.ts', 'src/sandbox/docker/container-files.ts'],
  },
  {
    what: 'the workspace of a run as an archive',
    whom: 'archive',
    most: '1 GiB; 512 MiB are kept of a run',
    refusal: '413 `request_too_large`, and the run goes on without it',
    why: 'inside the sandbox controller',
    files: ['src/sandbox/snapshot.ts'],
  },
];

export function costsTable(): string {
  const rows = ROUTE_COSTS.map((cost) => {
    const { perMinute, each, total, strangers, waiting }: PlaceRow = PLACES[cost];
    const cells = [
      `\`${cost}\``,
      perMinute === 0 ? 'its own' : number(perMinute),
      cost === 'database' ? 'half of `SERVICE_DB_POOL_MAX`, at least 1' : number(each),
      number(waiting),
      cost === 'hashing' ? `half of the cores, at most ${MAX_HASHES}` : number(total),
      cost === 'hashing' ? 'all' : number(strangers),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| cost | requests a minute | at once | waiting | at once, of everyone | of them, of strangers |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

export function limitsPage(): string {
  return [
    '# Limits',
    '',
    'Every limit on what a sender can make the service do, printed from `src/http/shell/admission/limits.ts` and `scripts/limits.ts` by `npm run docs`. A refusal for a limit in a file that is in neither fails `npm run check`. A sender is a person or, for strangers, a network (an IPv4 address, an IPv6 /64).',
    '',
    '## Admission',
    '',
    'Every request to the web server and the runtime passes the same steps, in this order (`src/http/shell/admission/admission.ts`):',
    '',
    '1. **Identify** the sender: session, token, or network.',
    '2. **Limit** that costs nothing: requests a minute, by the cost of the route; for routes that strangers call, attempts a minute. 429 `rate_limited` with `retry-after`.',
    `3. **Body**, up to the size of its row (413 \`request_too_large\`). ${BODY_PACE.silentMs / 1000} seconds without a byte, or less than ${size(BODY_PACE.leastBytes)} in ${BODY_PACE.silentMs / 1000} seconds, are 408 \`request_timeout\`. Until the body is complete, the request holds nothing but the bytes that have arrived; what was announced counts for nothing.`,
    `4. **Place**, by the cost of the route. Without a free one the request waits, and senders take turns; beyond the queue (${number(WAITING.total)} for everyone, ${number(WAITING.strangers)} of them for strangers), or after ${WAIT_MS / 1000} seconds, 429.`,
    '5. **Work**, and everything is given back.',
    '',
    `Places, places in the queue, bytes and seats are shared by one rule (\`shares.ts\`): a sender holds at most what its row says; strangers together leave a part to people; and the last quarter is only for senders who hold hardly anything (a 64th of what one may hold). Requests from this machine count as those of ${MORE_FROM_THIS_MACHINE} networks, because a local proxy that is not [trusted](../operators/gateway.md) stands for all its visitors.`,
    '',
    'Counts are per process. The cost of each route is declared where it is mounted, or in the contract (`src/contract`).',
    '',
    costsTable(),
    '### Bodies',
    '',
    '| row | bytes | values of JSON |',
    '|---|---|---|',
    ...Object.entries<BodyRow>(BODIES).map(
      ([name, { bytes, values = JSON_LIMITS.values, compressed }]) =>
        `| \`${name}\` | ${size(bytes)}${compressed ? ', decompressed' : ''} | ${number(values)} |`,
    ),
    '',
    `In memory at once: ${size(BODY_MEMORY.each)} of one sender, ${size(BODY_MEMORY.total)} of everyone, ${size(BODY_MEMORY.strangers)} of strangers; what is read for a request (stored responses) is in the same share. Of bodies over ${size(LARGE_BODY_BYTES)} a sender may send ${size(LARGE_BYTES_PER_MINUTE)} a minute, and the chat limit is taken before the rest of one is read.`,
    '',
    '### Attempts of one network a minute',
    '',
    '| row | requests |',
    '|---|---|',
    ...Object.entries(ATTEMPTS).map(([name, most]) => `| \`${name}\` | ${number(most)} |`),
    '',
    '### Open streams',
    '',
    `Of one person, by kind; ${number(MAX_STREAMS)} of everyone for each kind. 429 \`too_many_streams\`.`,
    '',
    '| kind | routes | of one person |',
    '|---|---|---|',
    ...Object.entries(STREAM_KINDS).map(
      ([kind, { routes, maxPerPerson }]) =>
        `| \`${kind}\` | ${routes.map((route) => `\`${route}\``).join(', ')} | ${maxPerPerson} |`,
    ),
    '',
    '## Apart on purpose',
    '',
    '| what | per | at most | beyond it | why apart | where |',
    '|---|---|---|---|---|---|',
    ...APART.map(
      ({ what, whom, most, refusal, why, files }) =>
        `| ${what} | ${whom} | ${most} | ${refusal} | ${why} | ${files.map((file) => `\`${file}\``).join(', ')} |`,
    ),
    '',
  ].join('\n');
}
