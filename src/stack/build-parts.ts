// Turns the selected rows of the table into parts that can be launched. Each launch reads the environment again,
// because the database's address is known only once PostgreSQL runs.
import { join } from 'node:path';
import type { DescribedLine } from './describe-log-line.ts';
import type { Environment } from './environment-values.ts';
import { DATABASE_ADMIN_PASSWORD, DATABASE_PASSWORD, type Secrets } from './generate-secrets.ts';
import { partEnvironment } from './part-environment.ts';
import type { WriteWatch } from './log-file.ts';
import type { PartRow, PartTable } from './parts.ts';
import type { Ports } from './plan-ports.ts';
import type { Wrapper } from './prepare-sandbox.ts';
import { runPart } from './run-part.ts';
import { runPostgres } from './run-postgres.ts';
import { stackEnvironment } from './stack-environment.ts';
import type { LaunchedPart, SupervisedPart } from './supervise.ts';

export interface PartsInput {
  readonly table: PartTable;
  readonly selected: readonly string[];
  readonly given: Environment;
  readonly directory: string;
  readonly logs: string;
  readonly bundles: string;
  readonly root: string;
  readonly ports: Ports;
  readonly secrets: Secrets;
  /** By the name of the part; a part without one is started directly. */
  readonly wrappers: Readonly<Record<string, Wrapper>>;
  heard(part: string, line: DescribedLine): void;
  /** Observes writes to the logs. */
  readonly watch: WriteWatch;
}

export function buildParts(input: PartsInput): { parts: SupervisedPart[]; environment(): Record<string, string> } {
  const { table, selected, given, directory, ports, secrets } = input;
  let database: { url: string; port: number } | undefined;
  const environment = (): Record<string, string> =>
    stackEnvironment(given, {
      dataDirectory: directory,
      ports,
      selected,
      secrets,
      ...(database === undefined ? {} : { databaseUrl: database.url }),
    });

  async function launchDatabase(name: string, stopping: AbortSignal): Promise<LaunchedPart> {
    const server = await runPostgres(
      {
        directory: join(directory, 'postgres'),
        logFile: join(input.logs, `${name}.log`),
        password: secrets[DATABASE_PASSWORD] ?? '',
        adminPassword: secrets[DATABASE_ADMIN_PASSWORD] ?? '',
        port: database?.port ?? ports.postgres,
        watch: input.watch,
      },
      stopping,
    );
    database = server;
    return server;
  }

  function launchProgram(name: string, row: PartRow, bundle: string): Promise<LaunchedPart> {
    const [port] = row.ports;
    const wrapper = input.wrappers[name];
    return runPart({
      command: wrapper?.command ?? [],
      program: join(input.bundles, `${bundle}.js`),
      environment: { ...partEnvironment(name, row, environment()), ...wrapper?.environment },
      directory: input.root,
      health: row.health,
      ...(port === undefined ? {} : { port: ports[port] }),
      logFile: join(input.logs, `${name}.log`),
      watch: input.watch,
      heard: (line) => input.heard(name, line),
    });
  }

  const parts = Object.entries(table)
    .filter(([name]) => selected.includes(name))
    .map(([name, row]): SupervisedPart => ({
      name,
      after: row.after.filter((other) => selected.includes(other)),
      stopsWith: row.stopsWith ?? [],
      launch: (stopping) =>
        row.bundle === undefined ? launchDatabase(name, stopping) : launchProgram(name, row, row.bundle),
    }));
  return { parts, environment };
}
