// The results as lines of the run, and as the table of the documentation: clients, and what was run of each.
import { CHAT_CLIENTS } from '../../web/features/mcp-gateway/clients/chat-clients.ts';
import type { Row } from './run-case.ts';
import { type Column, COLUMNS, STEPS } from './steps.ts';

export function renderRow({ client, version, model, credential, outcomes }: Row): string {
  // A fault that several steps share is said once.
  const faults = [
    ...Map.groupBy(
      outcomes.filter(({ fault }) => fault !== undefined),
      ({ fault }) => fault,
    ),
  ];
  const head = `${faults.length === 0 ? 'ok  ' : 'FAIL'}  ${client}  ${version}  ${model}  ${credential}`;
  return [
    `${head}  ${outcomes
      .filter(({ fault }) => fault === undefined)
      .map(({ step }) => step)
      .join(' ')}`,
    ...faults.map(([fault, of]) => `      ${of.map(({ step }) => step).join(', ')}: ${fault}`),
  ].join('\n');
}

/** How often each step was run with a client, over all models and credentials: a line of `results.json`. */
export interface Result {
  readonly client: string;
  readonly version: string;
  readonly held: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
}

export function toResults(rows: readonly Row[]): Result[] {
  return [...Map.groupBy(rows, ({ client }) => client)].map(([client, of]) => {
    const outcomes = of.flatMap((row) => row.outcomes);
    const count = (isHeld: boolean): Result['held'] =>
      Object.fromEntries(
        [
          ...Map.groupBy(
            outcomes.filter(({ fault }) => (fault === undefined) === isHeld),
            ({ step }) => step,
          ),
        ].map(([step, found]) => [step, found.length]),
      );
    return { client, version: of[0]?.version ?? '', held: count(true), failed: count(false) };
  });
}

/** The same client with a model of its own, as an MCP client, or by the lines of the page. */
const VARIANT = /, (?:newcomer|MCP|lines of the page)$/;
const NOT_RUN = '–';

export function renderResults(results: readonly Result[]): string {
  const clients = Map.groupBy(results, ({ client }) => client.replace(VARIANT, ''));
  const named = new Set(clients.keys());
  const unrun = Object.values(CHAT_CLIENTS)
    .map(({ name }) => name)
    .filter((name) => ![...named].some((client) => client === name || client.startsWith(`${name},`)));
  const columns = Object.keys(COLUMNS) as Column[];
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    '',
    row(['client', 'version', ...Object.values(COLUMNS)]),
    `|${'---|'.repeat(columns.length + 2)}`,
    ...[...clients].map(([client, of]) =>
      row([client, of.find(({ version }) => version !== '')?.version ?? '', ...columns.map((one) => cellOf(of, one))]),
    ),
    ...unrun.map((client) => row([client, '', ...columns.map(() => NOT_RUN)])),
    '',
    `A cell counts what was run in every row of that client; ${NOT_RUN} was not run. The steps, and the columns that they count for:`,
    '',
    ...Object.values(STEPS).map(
      ({ text, shows }) => `- ${text} (${(shows as readonly Column[]).map((column) => COLUMNS[column]).join(', ')})`,
    ),
    '',
    '',
  ].join('\n');
}

/** What ended a client as a whole counts for everything that it was to do. */
function cellOf(results: readonly Result[], column: Column): string {
  const sum = (counts: Result['held'], isCounted: (step: string) => boolean): number =>
    Object.entries(counts).reduce((total, [step, count]) => total + (isCounted(step) ? count : 0), 0);
  const isShown = (step: string): boolean =>
    step in STEPS && (STEPS[step as keyof typeof STEPS].shows as readonly Column[]).includes(column);
  const held = results.reduce((total, { held: counts }) => total + sum(counts, isShown), 0);
  const failed = results.reduce(
    (total, { failed: counts }) => total + sum(counts, (step) => isShown(step) || !(step in STEPS)),
    0,
  );
  if (held + failed === 0) return NOT_RUN;
  return failed === 0 ? 'works' : `fails: ${failed} of ${held + failed}`;
}
