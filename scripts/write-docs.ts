// Writes the parts of the documentation that are tables of the code; with --check, says which are out of date.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ENVIRONMENT, ENVIRONMENT_PATTERNS, type Group, type Variable } from '../src/base/environment.ts';
import { ERRORS } from '../src/base/errors.ts';
import { METRICS, type MetricRow } from '../src/telemetry/metrics/metric-table.ts';
import { loadConnectors } from '../src/catalog/load-connectors.ts';
import { directoriesTable, exportTable, personalDataTable, serviceTable } from './render-personal-data.ts';
import { renderConnectorsTable } from '../src/catalog/render-table.ts';
import { MEANS } from '../src/contract/sandbox-limits.ts';
import { PROJECT_LIMITS } from '../src/contract/project-limits.ts';
import { ENFORCEMENT_MATRIX } from '../src/enforcement/matrix.ts';
import { UNSERVED } from '../src/http/v1/unserved.ts';
import { MAIL_LIMITS } from '../src/mail/mail-limits.ts';
import { MEANS_TABLE } from '../src/sandbox/means-table.ts';
import { apiPage } from './render-api-page.ts';
import { chatFieldsPage } from './render-chat-fields.ts';
import { replaceBetween } from './replace-between.ts';
import { clientLines, clientResults } from './render-client-lines.ts';
import { checksTable, commandsTable, exitCodesTable } from './render-cli-tables.ts';
import { keysTable } from './render-keys.ts';
import { FLOORS } from './floors.ts';
import { costsTable, limitsPage } from './limits.ts';
import { ATTACKERS, THREATS } from './threat-model.ts';

const root = join(import.meta.dirname, '..');
const checking = process.argv.includes('--check');

/** A whole file, or the part of a file between two marker comments. */
const DOCUMENTS: { file: string; marker?: string; render: () => string | Promise<string> }[] = [
  { file: 'docs/reference/environment.md', render: environmentPage },
  { file: 'docs/reference/errors.md', render: errorsPage },
  { file: 'docs/reference/enforcement.md', render: enforcementPage },
  { file: 'docs/reference/connectors.md', render: connectorsPage },
  { file: 'docs/reference/api.md', render: apiPage },
  { file: 'docs/users/chat-api.md', marker: 'unserved', render: unservedTable },
  { file: 'docs/users/chat.md', marker: 'keys', render: keysTable },
  { file: 'docs/reference/chat-fields.md', render: chatFieldsPage },
  { file: 'docs/users/projects.md', marker: 'limits', render: projectLimitsTable },
  { file: 'docs/users/cli.md', marker: 'commands', render: commandsTable },
  { file: 'docs/users/cli.md', marker: 'exit-codes', render: exitCodesTable },
  { file: 'docs/users/clients.md', marker: 'results', render: clientResults },
  { file: 'docs/users/clients.md', marker: 'lines', render: clientLines },
  { file: 'docs/operators/doctor.md', marker: 'checks', render: checksTable },
  { file: 'docs/operators/sandbox.md', marker: 'means', render: meansTable },
  { file: 'docs/operators/personal-data.md', marker: 'tables', render: personalDataTable },
  { file: 'docs/operators/personal-data.md', marker: 'directories', render: directoriesTable },
  { file: 'docs/operators/personal-data.md', marker: 'service', render: serviceTable },
  { file: 'docs/operators/personal-data.md', marker: 'archive', render: exportTable },
  { file: 'docs/operators/scaling.md', marker: 'costs', render: costsTable },
  { file: 'docs/contributors/limits.md', render: limitsPage },
  { file: 'docs/operators/monitoring.md', marker: 'metrics', render: metricsTable },
  { file: 'docs/operators/mail.md', marker: 'mail-limits', render: mailLimitsTable },
  { file: 'docs/security.md', marker: 'threats', render: threatsTable },
  { file: 'ARCHITECTURE.md', marker: 'floors', render: floorsTable },
];

let stale = 0;
for (const { file, marker, render } of DOCUMENTS) {
  const path = join(root, file);
  const before = await readFile(path, 'utf8').catch(() => '');
  const after = marker === undefined ? await render() : replaceBetween(before, marker, await render());
  if (before === after) continue;
  stale++;
  if (checking) process.stderr.write(`${file} does not match the code: run npm run docs\n`);
  else {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, after);
    process.stdout.write(`wrote ${file}\n`);
  }
}
process.exit(checking && stale > 0 ? 1 : 0);

function mailLimitsTable(): string {
  return [
    '| mail | to one address in an hour | in a day | caused by one person in a day | to everyone in an hour |',
    '|---|---|---|---|---|',
    ...Object.entries(MAIL_LIMITS).map(
      ([kind, { perHour, perDay, perCause, total }]) =>
        `| \`${kind}\` | ${perHour} | ${perDay} | ${perCause ?? '–'} | ${total.toLocaleString('en')} |`,
    ),
    '',
  ].join('\n');
}

function unservedTable(): string {
  return [
    '| path | | instead |',
    '|---|---|---|',
    ...Object.entries(UNSERVED).map(([path, { name, instead }]) => `| \`${path}\` | ${name} | ${instead} |`),
    '',
  ].join('\n');
}

function projectLimitsTable(): string {
  const { projects, name, description, instructions, files, bytes, characters, passages } = PROJECT_LIMITS;
  const rows: readonly (readonly [string, string])[] = [
    ['projects that a workspace shares, and that each person keeps in it', String(projects)],
    ['characters of a name', String(name)],
    ['characters of a description', String(description)],
    ['characters of the instructions', instructions.toLocaleString('en')],
    ['files in a project', String(files)],
    ['size of a file', `${bytes / 1024 / 1024} MiB`],
    ["characters of a file's text that are searched", characters.toLocaleString('en')],
    ['passages that a question is answered with', String(passages)],
  ];
  return ['| limit | |', '|---|---|', ...rows.map(([what, most]) => `| ${what} | ${most} |`), ''].join('\n');
}

function metricsTable(): string {
  const rows = Object.entries<MetricRow>(METRICS).map(
    ([name, { type, labels, parts, help }]) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${parts.join(', ')} | ${help} |`,
  );
  return ['| metric | type | labels | processes | |', '|---|---|---|---|---|', ...rows, ''].join('\n');
}

function environmentPage(): string {
  const groups = Map.groupBy(Object.entries<Variable>(ENVIRONMENT), ([, variable]) => variable.group);
  const sections = [...groups].map(([group, variables]) => {
    const rows = variables.map(
      ([name, variable]) =>
        `| \`${name}\` | ${takes(variable)} | ${defaultOf(variable)} | ${toldOf(variable)} | ${cell(variable.help)} |`,
    );
    const patterns = ENVIRONMENT_PATTERNS.filter((pattern) => (pattern.group as Group) === group).map(
      (pattern) => `| \`${pattern.name}\` | text |  | ${'secret' in pattern ? 'secret' : ''} | ${cell(pattern.help)} |`,
    );
    return [
      `## ${group}`,
      '',
      '| variable | takes | default | value | meaning |',
      '|---|---|---|---|---|',
      ...rows,
      ...patterns,
      '',
    ].join('\n');
  });
  return [
    '# Environment',
    '',
    'Every variable the service reads. An empty value counts as absent. A bad value stops the process at start with one line that names the variable and what it takes. A secret may be in a file instead, which the variable with `_FILE` at its end names: [secrets in files](../operators/secrets-bundle.md#secrets-in-files). The value of one that is `shown` is in a [support bundle](../operators/doctor.md#a-support-bundle), of every other one only whether it is set. This page is printed from `src/base/environment.ts` by `npm run docs`.',
    '',
    ...sections,
  ].join('\n');
}

function toldOf(variable: Variable): string {
  if (variable.secret) return 'secret';
  return 'shown' in variable ? 'shown' : '';
}

function takes(variable: Variable): string {
  switch (variable.kind) {
    case 'integer':
      return `whole number, ${variable.min} to ${variable.max}`;
    case 'dollars':
      return `US dollars, 0 to ${variable.max}, such as 12.50`;
    case 'choice':
      return variable.oneOf.map((one) => `\`${one}\``).join(', ');
    case 'switch':
      return '`true` or `false`';
    case 'exactly-1':
      return '`1`';
    case 'key32':
      return 'base64 of 32 bytes';
    case 'url':
      return `http(s) URL${variable.off ? ' or `off`' : ''}${variable.unix ? ' or `unix:/path`' : ''}`;
    case 'postgres-url':
      return variable.hosts ? 'PostgreSQL URL, also of several hosts' : 'PostgreSQL URL';
    case 'redis-url':
      return 'Redis URL';
    case 'identifier':
      return 'SQL identifier';
    case 'segment':
      return 'path segment';
    default:
      return variable.kind;
  }
}

function defaultOf(variable: Variable): string {
  return 'default' in variable && variable.default !== undefined ? `\`${variable.default}\`` : '';
}

function errorsPage(): string {
  const rows = Object.entries<{ status: number; error?: unknown; message: unknown; retryable?: true }>(ERRORS).map(
    ([code, row]) => {
      return `| ${row.status} | \`${cell(sentence(row.error ?? code))}\` | ${row.retryable ? 'yes' : ''} | ${cell(sentence(row.message))} |`;
    },
  );
  return [
    '# Errors',
    '',
    'Outside `/v1` every error is JSON: `{"ok": false, "error": "…", "message": "…", "details": {…}}`. `error` is stable and meant for programs, `message` is for people. This page is printed from `src/base/errors.ts` by `npm run docs`.',
    '',
    '| status | `error` | worth a retry | `message` |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** A sentence as it is, or with its named parts left as placeholders. */
function sentence(text: unknown): string {
  if (typeof text !== 'function') return String(text);
  const placeholder = (name: string): object => ({ toString: () => `<${name}>`, join: () => `<${name}>` });
  return (text as (details: object) => string)(new Proxy({}, { get: (_, name) => placeholder(String(name)) }));
}

function enforcementPage(): string {
  const rows = ENFORCEMENT_MATRIX.map(
    (row) =>
      `| ${cell(row.control)}${'beyond' in row ? ' (beyond the specification)' : ''} | ${row.actsOn} | ${row.status}${'note' in row ? `; ${cell(row.note)}` : ''} | \`${row.shownBy.file}\` |`,
  );
  return [
    '# Enforcement',
    '',
    'Which controls act on live traffic and which are only stored. Each row names the test that shows it. This page is printed from `src/enforcement/matrix.ts` by `npm run docs`.',
    '',
    '| control | where it acts | status | shown by |',
    '|---|---|---|---|',
    ...rows,
    '',
    'There is no approval prompt for single actions: write actions stay off until an owner or admin enables them for that connection. Receipts are tamper-evident only; they carry no signature or key material. There are no budgets in model tokens, and nothing adapts.',
    '',
  ].join('\n');
}

function connectorsPage(): string {
  return [
    '# Connectors',
    '',
    'The connector catalogue, printed from `connectors/*.json` by `npm run docs`.',
    '',
    renderConnectorsTable(loadConnectors()).trimEnd(),
    '',
  ].join('\n');
}

function meansTable(): string {
  const rows = MEANS_TABLE.map(
    ({ limit, means, where, enforces, shownBy }) =>
      `| ${limit} | ${MEANS[means].name} | ${MEANS[means].strong ? 'strong' : 'weak'} | ${where} | ${cell(enforces)} | \`${shownBy.file}\` |`,
  );
  return ['| limit | by | | where | what it holds | shown by |', '|---|---|---|---|---|---|', ...rows, ''].join('\n');
}

function threatsTable(): string {
  return Object.entries(ATTACKERS)
    .flatMap(([attacker, who]) => {
      const rows = THREATS.filter((row) => row.attacker === attacker).map(
        ({ wants, stoppedBy, shownBy }) =>
          `| ${cell(wants)} | ${cell(stoppedBy)} | [\`${shownBy.file.split('/').at(-1)}\`](../${shownBy.file}) |`,
      );
      return [
        '',
        `### ${attacker[0]?.toUpperCase()}${attacker.slice(1)}: ${who}`,
        '',
        '| wants | what stops them | shown by |',
        '|---|---|---|',
        ...rows,
      ];
    })
    .concat('', '')
    .join('\n');
}

function floorsTable(): string {
  const rows = Object.entries(FLOORS)
    .toReversed()
    .map(([floor, rooms]) => `| ${floor} | ${rooms.map((room) => `\`${room}\``).join(' ')} |`);
  return ['| floor | rooms of `src/` |', '|---|---|', ...rows, ''].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
