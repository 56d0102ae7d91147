import { releaseDirectory } from '../../../process/package-root.ts';
import { readFunctionState } from '../../../store/apply-functions.ts';
import { APPLIED, type AppliedRow, findForeign, type Migration, readMigrations } from '../../../store/migrate.ts';
import { reasonOf } from '../../../timing/database-fault.ts';
import { hearsNotifications } from '../../../store/listen.ts';
import { REFUSED_STORAGE } from '../../../store/refused-storage.ts';
import { schemaName } from '../../../store/schema-name.ts';
import { fault, type Finding, ok, warning } from './finding.ts';
import type { Deployment } from './deployment.ts';

const OLDEST_MAJOR = 14;
const SKEW_WARNING_MS = 2_000;
const SKEW_FAULT_MS = 30_000;

/** Why a connection fails, by the error code of the system or PostgreSQL, and how to fix it. */
const REFUSALS: Readonly<Record<string, { readonly what: string; readonly fix: string }>> = {
  ECONNREFUSED: {
    what: 'nothing listens at the address in SERVICE_UPSTREAM_DB',
    fix: 'Start PostgreSQL, or correct the host and port in SERVICE_UPSTREAM_DB.',
  },
  ENOTFOUND: {
    what: 'the host in SERVICE_UPSTREAM_DB does not exist',
    fix: 'Correct the host in SERVICE_UPSTREAM_DB.',
  },
  EAI_AGAIN: {
    what: 'the host name in SERVICE_UPSTREAM_DB cannot be resolved',
    fix: 'Fix name resolution on this machine, or use an address in SERVICE_UPSTREAM_DB.',
  },
  ...REFUSED_STORAGE,
  '53300': {
    what: 'PostgreSQL has no connection left',
    fix: 'Raise max_connections, or lower SERVICE_DB_POOL_MAX of the parts.',
  },
  '57P03': {
    what: 'PostgreSQL is starting or recovering',
    fix: 'Wait until it is up; check its log if it does not come up.',
  },
  timeout: {
    what: 'PostgreSQL does not answer at the address in SERVICE_UPSTREAM_DB',
    fix: 'Check the address, the firewall between here and there, and that the server is not overloaded.',
  },
};

export async function checkReachable(deployment: Deployment): Promise<Finding[]> {
  const why = 'It holds all state of the service; nothing works without it.';
  if (deployment.config.SERVICE_UPSTREAM_DB === undefined) {
    return [
      fault(
        deployment.refused.has('SERVICE_UPSTREAM_DB')
          ? 'SERVICE_UPSTREAM_DB cannot be read'
          : 'SERVICE_UPSTREAM_DB is not set',
        why,
        'Set it to a URL like postgresql://user:password@host:port/database',
      ),
    ];
  }
  try {
    const db = await deployment.storage();
    return [ok(`PostgreSQL answers${db.mode === 'startup' ? '' : ', through a pooler'}`)];
  } catch (error) {
    const reason = reasonOf(error);
    const { what, fix } = REFUSALS[reason] ?? {
      what: `PostgreSQL cannot be reached (${reason})`,
      fix: 'Check SERVICE_UPSTREAM_DB and the log of the server.',
    };
    return [fault(what, why, fix)];
  }
}

export async function checkServer(deployment: Deployment): Promise<Finding[]> {
  const db = await deployment.storage();
  const { rows } = await db.query<{
    number: number;
    version: string;
    encoding: string;
    recovery: boolean;
    readOnly: boolean;
    used: number;
    most: number;
  }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version, current_setting('server_encoding') as encoding,
            pg_is_in_recovery() as recovery, current_setting('transaction_read_only')::bool as "readOnly", (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as used, current_setting('max_connections')::int as most`,
  );
  const [server] = rows;
  if (!server) return [];
  const findings: Finding[] = [];
  if (server.number < OLDEST_MAJOR * 10_000)
    findings.push(
      fault(
        `PostgreSQL is version ${server.version}`,
        `The service needs ${OLDEST_MAJOR} or newer.`,
        'Upgrade the server.',
      ),
    );
  if (server.encoding !== 'UTF8')
    findings.push(
      fault(
        `the database has the encoding ${server.encoding}`,
        'Receipts are hashed over UTF-8; text in other scripts cannot be stored.',
        "Make a new one: create database <name> encoding 'UTF8' template template0; and name it in SERVICE_UPSTREAM_DB.",
      ),
    );
  if (server.recovery)
    findings.push(
      fault('the server is a read-only replica', 'Nothing can be written.', 'Use the primary in SERVICE_UPSTREAM_DB.'),
    );
  else if (server.readOnly)
    findings.push(
      fault(
        'the database accepts no writes: default_transaction_read_only is on',
        'Nothing can be stored: no sign-in, chat, run or receipt.',
        "Find where it is set (select source, sourcefile from pg_settings where name = 'default_transaction_read_only'), and reset it: alter database <name> reset default_transaction_read_only; or the same for the role. A managed server sets it when its disk is full.",
      ),
    );
  if (server.used > server.most * 0.9)
    findings.push(
      warning(
        `${server.used} of ${server.most} connections of the server are in use`,
        'Parts that start, and replicas, may find none left.',
        'Raise max_connections, or lower SERVICE_DB_POOL_MAX.',
      ),
    );
  return findings.length > 0
    ? findings
    : [ok(`PostgreSQL ${server.version}, UTF8, ${server.used} of ${server.most} connections in use`)];
}

/** Notifications end a wait early: without them an aborted run is noticed seconds later, and pages are not updated. */
export async function checkNotifications(deployment: Deployment): Promise<Finding[]> {
  const db = await deployment.storage();
  if (await hearsNotifications(db, deployment.log)) return [ok('notifications of the database arrive')];
  return [
    warning(
      'notifications of the database do not arrive: the pooler in SERVICE_UPSTREAM_DB shares connections between clients',
      'Aborted runs end seconds later, waiting runs start later, and open pages show changes late.',
      'Use a pooler in session mode, or the server itself, in SERVICE_UPSTREAM_DB.',
    ),
  ];
}

export async function checkClock(deployment: Deployment): Promise<Finding[]> {
  const db = await deployment.storage();
  const before = Date.now();
  const { rows } = await db.query<{ now: Date }>('select clock_timestamp() as now');
  const after = Date.now();
  const there = rows[0]?.now.getTime() ?? after;
  // The time for the round trip is not skew.
  const skew = there < before ? before - there : there > after ? there - after : 0;
  const what = `the clock of this machine and that of PostgreSQL are ${(skew / 1_000).toFixed(1)} s apart`;
  const fix = 'Let both follow a time server (timedatectl set-ntp true).';
  if (skew > SKEW_FAULT_MS)
    return [fault(what, 'Tokens are refused as expired or not yet valid, and receipts carry wrong times.', fix)];
  if (skew > SKEW_WARNING_MS)
    return [warning(what, 'Short-lived tokens may be refused, and receipts carry wrong times.', fix)];
  return [ok('the clocks of this machine and of PostgreSQL agree')];
}

export async function checkSchema(deployment: Deployment): Promise<Finding[]> {
  const db = await deployment.storage();
  const { rows: found } = await db.query<{ there: boolean; migrated: boolean; may: boolean; foreign: string | null }>(
    `select to_regnamespace($1) is not null as there, to_regclass($1 || '.migration') is not null as migrated,
            case when to_regnamespace($1) is null then has_database_privilege(current_database(), 'create') else has_schema_privilege(to_regnamespace($1), 'create') end as may,
            (select string_agg(nspname, ', ') from (select nspname from pg_namespace where nspname like 'service\\_data\\_%' and nspname <> $1 and nspname not like '%\\_integrations' order by 1 limit 3) n) as foreign`,
    [schemaName(deployment.config)],
  );
  const [place] = found;
  const schema = schemaName(deployment.config);
  if (place && !place.may)
    return [
      fault(
        `the role may not create tables in the schema ${schema}`,
        'The api role cannot migrate.',
        place.there
          ? `grant create, usage on schema ${schema} to <role>`
          : 'grant create on database <database> to <role>',
      ),
    ];
  if (!place?.migrated) {
    const hint = place?.foreign
      ? ` The database has ${place.foreign}: if that is yours, set SERVICE_DB_SCHEMA to it, or SERVICE_DATA_DIR to the previous path.`
      : '';
    return [
      fault(
        `the schema ${schema} has no tables yet`,
        'Every role but api waits for them, and the web server does not listen.',
        `Start the api role (SERVICE_PROCESS_ROLE=api npm run runtime), which creates them.${hint}`,
      ),
    ];
  }
  const [migrations, { rows: applied }] = [
    await readMigrations(releaseDirectory('migrations')),
    await db.query<AppliedRow>(APPLIED),
  ];
  const { waiting } = await readFunctionState(db, schema, migrations.functions);
  return judgeMigrations(applied, migrations.numbered, waiting.length, schema);
}

function judgeMigrations(
  applied: readonly AppliedRow[],
  migrations: readonly Migration[],
  waitingFunctions: number,
  schema: string,
): Finding[] {
  const changed = applied.find(
    ({ version, checksum }) => migrations[version - 1] !== undefined && migrations[version - 1]?.checksum !== checksum,
  );
  if (changed)
    return [
      fault(
        `migration ${changed.name} was changed after it was applied`,
        'No role starts: tables and code may disagree.',
        'Restore the file from the release that is deployed; add a new migration for the change.',
      ),
    ];
  const newer = findForeign(applied, migrations.length);
  if (newer)
    return [
      fault(
        `the database is newer than this build: it has migration ${newer.name}`,
        'No role of this build starts.',
        'Start the newer build, or restore the backup from before the upgrade.',
      ),
    ];
  const waiting = migrations.length - applied.length;
  if (waiting > 0)
    return [
      fault(
        `${waiting} migrations of this build are not applied`,
        'The other roles wait for them.',
        'Start the api role of this build, which applies them.',
      ),
    ];
  if (waiting === 0 && waitingFunctions > 0)
    return [
      fault(
        `${waitingFunctions} files of functions of this build are not applied`,
        'The other roles wait for them.',
        'Start the api role of this build, which applies them.',
      ),
    ];
  return [
    ok(
      `the schema ${schema} has all ${migrations.length} migrations${waiting < 0 ? ` and ${-waiting} of a newer build, which this one can run with` : ''}`,
    ),
  ];
}
