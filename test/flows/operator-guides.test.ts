// The operators' guides, word for word: every block of commands that a page marks is run against a real PostgreSQL and
// a real service, in the order in which an operator would need them.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { appendFile, chmod, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPLOY } from '../../scripts/read-deploy-files.ts';
import { switchTo } from '../../scripts/releases.ts';
import { findDirectoryOf } from '../../scripts/test-programs.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { PostgresBinaries } from '../../src/postgres/binaries.ts';
import { launchPostgres, type RunningPostgres } from '../../src/postgres/launch.ts';
import { createReceiptWriter } from '../../src/receipts/receipt-writer.ts';
import { openDatabase } from '../../src/store/database.ts';
import { quiet } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { readGuideFile, readGuides, runBlock } from '../support/stack/guides.ts';
import { signUp } from '../support/http-client.ts';
import { leaveOut, needs } from '../support/needs.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';
import { SERVICECTL } from '../support/cli/servicectl.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

/** A dump is taken by a client that is as new as its server: both from one directory. */
const found = findDirectoryOf('initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql');
const programs = found ?? '/nonexistent';

const blocks = readGuides();
const ran = new Set<string>();

describe(
  "the operators' guides",
  found === undefined
    ? leaveOut('no PostgreSQL server and client of one version are installed')
    : needs('curl', 'openssl'),
  () => {
    let directory: string;
    let postgres: RunningPostgres;
    let stack: TestStack;
    let environment: Record<string, string>;
    let token: string;
    let stream: string;
    let organization: string;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'service-guides-'));
      postgres = await launchPostgres({
        binaries: await withoutNewOptions({
          initdb: join(programs, 'initdb'),
          postgres: join(programs, 'postgres'),
          libraries: join(dirname(programs), 'lib'),
        }),
        directory: join(directory, 'postgres'),
        port: await freePort(),
        password: 'test',
        adminPassword: 'test-admin',
        logFile: join(directory, 'postgres.log'),
      });
      await query(postgres.adminUrl, 'create database service owner service');
      const databaseUrl = postgres.url.replace(/\/postgres$/, '/service');
      const key = randomBytes(32).toString('base64');
      await makeServicectl();
      stack = await start(databaseUrl, join(directory, 'data'), key);
      environment = {
        PATH: `${join(directory, 'bin')}:${programs}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        HOME: directory,
        DATABASE_URL: databaseUrl,
        ADMIN_URL: postgres.adminUrl,
        RESTORED_URL: postgres.url.replace(/\/postgres$/, '/service_restored'),
        DATA_DIR: stack.dataDirectory,
        SERVICE_URL: stack.url,
        SERVICE_UPSTREAM_DB: databaseUrl,
        SERVICE_DB_SCHEMA: 'service',
        SERVICE_INTEGRATIONS_URL: 'off',
        SERVICE_DEBUG_TOKEN: 'token-of-the-operator',
        BYOK_ENCRYPTION_KEY_B64: key,
      };
      await useIt(databaseUrl);
      environment['SERVICE_TOKEN'] = token;
      environment['STREAM'] = stream;
    });
    afterAll(async () => {
      await stack?.stop();
      await postgres?.stop();
      if (directory !== undefined) await rm(directory, { recursive: true, force: true });
    });

    function start(databaseUrl: string, dataDirectory: string, key: string): Promise<TestStack> {
      return startStack({
        dataDirectory,
        environment: {
          SERVICE_UPSTREAM_DB: databaseUrl,
          SERVICE_DB_SCHEMA: 'service',
          SERVICE_INTEGRATIONS_URL: 'off',
          SERVICE_LOG_LEVEL: 'error',
          SERVICE_DEBUG_TOKEN: 'token-of-the-operator',
          BYOK_ENCRYPTION_KEY_B64: key,
          SERVICE_RECEIPT_CHECKPOINT_SECONDS: '1',
        },
      });
    }

    async function query(connectionString: string, ...statements: string[]): Promise<pg.QueryResult | undefined> {
      const client = new pg.Client({ connectionString });
      await client.connect();
      let last: pg.QueryResult | undefined;
      for (const sql of statements) last = await client.query(sql);
      await client.end();
      return last;
    }

    const makeServicectl = (): Promise<string> =>
      makeProgram('servicectl', `exec '${process.execPath}' '${SERVICECTL}' "$@"`);

    async function makeProgram(name: string, script: string): Promise<string> {
      await mkdir(join(directory, 'bin'), { recursive: true });
      const file = join(directory, 'bin', name);
      await writeFile(file, `#!/bin/sh\n${script}\n`);
      await chmod(file, 0o755);
      return file;
    }

    /** An older server is initialized like the embedded one, but for the locale provider that it does not know. */
    async function withoutNewOptions(binaries: PostgresBinaries): Promise<PostgresBinaries> {
      await chmod(directory, 0o755);
      const script = `for word do shift; case "$word" in --locale-provider=*|--builtin-locale=*) ;; *) set -- "$@" "$word" ;; esac; done; exec '${binaries.initdb}' "$@"`;
      return { ...binaries, initdb: await makeProgram('initdb', script) };
    }

    /** A person with an organization, a stored key and a chain of receipts. */
    async function useIt(databaseUrl: string): Promise<void> {
      const owner = await signUp(stack.url, 'Owner');
      const { body } = await owner.post('/api/organizations', { name: 'Acme' });
      organization = body.organization.id;
      token = await owner.token(organization, ['chat', 'receipts:read', 'connect:read']);
      // The workspace's key is looked for only where the organization has one too, or has never had any.
      for (const workspace of ['global', body.workspaces.default.id])
        expect(
          (await owner.send('PUT', '/api/provider-keys/openai', { organization, workspace, key: 'sk-demo' })).status,
        ).toBe(200);
      stream = `connect/${body.workspaces.default.id}`;
      const db = await openDatabase({
        url: databaseUrl,
        schema: 'service',
        poolMax: 1,
        applicationName: 'test',
        log: quiet,
      });
      const writer = createReceiptWriter({ db, clock: systemClock });
      for (let number = 0; number < 5; number++)
        await writer.append(stream, { kind: 'tool.called', actor: `user:${owner.id}`, body: { number } });
      await db.close();
    }

    /** Appends receipts, grows a log, and writes and removes files, until it is stopped. */
    async function writeAllTheTime(
      url: string,
      data: string,
      of: string,
    ): Promise<{ written(): number; stop(): Promise<void> }> {
      const db = await openDatabase({ url, schema: 'service', poolMax: 1, applicationName: 'load', log: quiet });
      const writer = createReceiptWriter({ db, clock: systemClock });
      const artifacts = join(data, 'artifacts');
      await mkdir(artifacts, { recursive: true });
      await writeFile(join(artifacts, 'kept'), 'an artifact');
      const stopping = new AbortController();
      let rounds = 0;
      const running = (async () => {
        while (!stopping.signal.aborted) {
          await writer.append(of, { kind: 'tool.called', actor: 'user:load', body: { round: rounds } });
          await appendFile(join(artifacts, 'log'), `line ${rounds}\n`.repeat(1_000));
          await writeFile(join(artifacts, `file-${rounds}`), 'x'.repeat(rounds));
          await rm(join(artifacts, `file-${rounds - 3}`), { force: true });
          rounds++;
        }
      })();
      return {
        written: () => rounds,
        async stop() {
          stopping.abort();
          await running;
          await db.close();
        },
      };
    }

    async function run(page: string, name: string): Promise<string> {
      const block = blocks.find((one) => one.page === page && one.name === name);
      if (!block) throw new Error(`${page}.md has no block ${name}`);
      ran.add(`${page} ${name}`);
      const { code, stdout, stderr } = await runBlock(block, { cwd: directory, environment });
      expect([code, code === block.exit ? '' : `${stdout}${stderr}`], `${page} ${name}`).toEqual([block.exit, '']);
      return stdout + stderr;
    }

    it('secrets bundle: makes one that is sound', async () => {
      expect(await run('secrets-bundle', 'bundle')).toMatch(/bundle\.env/);
      expect(statSync(join(directory, 'bundle.env')).mode & 0o777).toBe(0o600);
    });

    it('install: makes an organization for an owner who has no account yet', async () => {
      expect(await run('install', 'organization')).toMatch(
        /\/invitations\/inv_[\s\S]*jo@acme\.example has no account yet/,
      );
    });

    it('runtime: shows what there is to look at', async () => {
      expect(await run('runtime', 'debug')).toContain('/service-debug/health');
    });

    it('doctor: finds nothing wrong beside npm start', leaveOut(sandboxSkipReason), async () => {
      environment['SERVICE_DATA_DIR'] = stack.dataDirectory;
      expect(await run('doctor', 'doctor')).toMatch(/All checks passed/);
      delete environment['SERVICE_DATA_DIR'];
    });

    it('doctor: a support bundle has everything that it says', async () => {
      environment['SERVICE_DATA_DIR'] = stack.dataDirectory;
      const said = await run('doctor', 'support');
      expect(said).toMatch(/support\.tar\.gz\n\d+ files/);
      expect(said).not.toContain('Could not be read');
      delete environment['SERVICE_DATA_DIR'];
    });

    // What the alerts ask for, monitoring.test.ts asks of every process.
    it('monitoring: the figures can be read, and every alert is explained', async () => {
      const printed = await run('monitoring', 'metrics');
      const rules = await readFile(join(DEPLOY, 'monitoring', 'alerts.yaml'), 'utf8');
      const { groups } = parse(rules) as { groups: { rules: { alert: string }[] }[] };
      const alerts = groups.flatMap((group) => group.rules);
      expect(alerts.length).toBeGreaterThan(5);
      expect(printed).toContain('\nservice_database_up 1');
      const page = await readFile(join(DEPLOY, '..', 'docs', 'operators', 'monitoring.md'), 'utf8');
      for (const { alert } of alerts) expect(page).toContain(`\`${alert}\``);
      expect(await run('monitoring', 'chains')).toMatch(/"job"|"id"/);
    });

    it('scaling and upgrade: show processes, connections and migrations', async () => {
      expect(await run('scaling', 'connections')).toMatch(/worker-chat\s+\|\s+1/);
      expect(await run('upgrade', 'migrations')).toContain('0001_schema.sql');
      for (const name of ['20300101T000000000Z', '20300102T000000000Z', '20300103T000000000Z'])
        await mkdir(join(directory, 'releases', name), { recursive: true });
      await switchTo(join(directory, 'dist'), join(directory, 'releases', '20300103T000000000Z'));
      await run('upgrade', 'switch-back');
      expect(await readlink(join(directory, 'dist'))).toBe('releases/20300102T000000000Z');
      const after = await run('upgrade', 'after');
      expect(after).toContain(
        String(readdirSync(join(DEPLOY, '..', 'migrations')).filter((file) => file.endsWith('.sql')).length),
      );
      expect(after).toMatch(/ok/);
    });

    it('backup: is consistent while the service writes, and every chain verifies where it is restored', async () => {
      Object.assign(environment, { SERVICE_DATA_DIR: stack.dataDirectory });
      const load = await writeAllTheTime(environment['DATABASE_URL'] ?? '', stack.dataDirectory, 'load/backup');
      try {
        await run('backup', 'backup');
      } finally {
        await load.stop();
      }
      expect(load.written()).toBeGreaterThan(0);
      for (const file of ['service.dump', 'manifest.json', 'manifest.sha256'])
        expect([file, statSync(join(directory, 'backups', 'first', file)).mode & 0o777]).toEqual([file, 0o600]);
      expect(await run('backup', 'verify-backup')).toMatch(/^Intact: \d+ files and \d+ receipts in \d+ streams/);
      expect(await run('backup', 'restore')).toContain(join(directory, 'restored-data'));
      const [receipts, broken] = (await run('backup', 'chains')).trim().split(' ').map(Number);
      expect(receipts).toBeGreaterThanOrEqual(5);
      expect(broken).toBe(0);
      expect(
        (await query(environment['RESTORED_URL'] ?? '', 'select count(*)::int as n from service.org_provider_api_key'))
          ?.rows,
      ).toEqual([{ n: 2 }]);
      // What a row names is in the directory, whatever was written or removed meanwhile.
      expect(await readFile(join(directory, 'restored-data', 'artifacts', 'kept'), 'utf8')).toBe('an artifact');
    });

    it('backup: refuses to restore over anything, and a backup that was changed', async () => {
      const restore = (more: Record<string, string>) =>
        promisify(execFile)(join(directory, 'bin', 'servicectl'), ['admin', 'restore', 'backups/first'], {
          cwd: directory,
          env: { ...environment, ...more },
        }).catch((error: { stderr: string }) => error);
      const [restored, fresh] = [environment['RESTORED_URL'] ?? '', join(directory, 'fresh-data')];
      expect((await restore({ SERVICE_DATA_DIR: fresh, SERVICE_UPSTREAM_DB: restored })).stderr).toContain(
        'the database in SERVICE_UPSTREAM_DB is not empty',
      );
      expect((await restore({ SERVICE_UPSTREAM_DB: restored })).stderr).toMatch(/the data directory .* is not empty/);
      const artifact = join(directory, 'backups', 'first', 'data', 'artifacts', 'kept');
      await writeFile(artifact, 'AN artifact');
      const { stderr } = await promisify(execFile)(
        join(directory, 'bin', 'servicectl'),
        ['admin', 'verify-backup', 'backups/first'],
        { cwd: directory, env: environment },
      ).catch((error: { stderr: string }) => error);
      expect(stderr).toContain('data/artifacts/kept was changed');
      delete environment['SERVICE_DATA_DIR'];
    });

    it('key rotation: moves the stored key, and the service answers with it under the new one', async () => {
      const before = environment['BYOK_ENCRYPTION_KEY_B64'] ?? '';
      await stack.stop();
      expect(await run('key-rotation', 'rewrap')).toMatch(/\b2\b/);
      const key = (await readFile(join(directory, 'new-wrapping-key'), 'utf8')).trim();
      await writeFile(join(directory, 'open-key.mjs'), readGuideFile('open-key.mjs'));
      Object.assign(environment, { ORGANIZATION: organization, BYOK_ENCRYPTION_KEY_B64: key });
      expect(await run('key-rotation', 'open')).toBe('sk-demo\n');
      expect(key).not.toBe(before);
      const kept = join(directory, 'data', '.env');
      const [, connectionKey = ''] =
        /^SERVICE_CONNECTION_ENCRYPTION_KEY_B64=(.+)$/m.exec(await readFile(kept, 'utf8')) ?? [];
      environment['SERVICE_CONNECTION_ENCRYPTION_KEY_B64'] = connectionKey;
      expect(await run('key-rotation', 'rewrap-connections')).toMatch(/^connections\t0\t0\t0\nstoredResponses\t/m);
      const next = (await readFile(join(directory, 'new-connection-key'), 'utf8')).trim();
      await writeFile(kept, (await readFile(kept, 'utf8')).replace(connectionKey, next));
      stack = await start(environment['DATABASE_URL'] ?? '', join(directory, 'data'), key);
      environment['SERVICE_URL'] = stack.url;
      const answer = await fetch(`${stack.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'openai/gpt-5-mini', messages: [{ role: 'user', content: 'Hello' }] }),
      });
      expect([answer.status, answer.headers.get('x-service-credential')]).toEqual([200, 'own-key']);
      environment['BYOK_ENCRYPTION_KEY_B64'] = before;
    });

    it('backup: the service starts on the restored database with its old keys, and verifies', async () => {
      await stack.stop();
      stack = await start(
        environment['RESTORED_URL'] ?? '',
        join(directory, 'restored-data'),
        environment['BYOK_ENCRYPTION_KEY_B64'] ?? '',
      );
      environment['SERVICE_URL'] = stack.url;
      expect(await run('backup', 'verify')).toMatch(new RegExp(String.raw`${stream}\s+ok\s+5`));
    });

    it('incident: names the broken receipt, keeps the evidence and shows what was changed', async () => {
      // The other way round: what was restored is what runs now, so the guide's older copy is the first database.
      [environment['DATABASE_URL'], environment['RESTORED_URL']] = [
        environment['RESTORED_URL'] ?? '',
        environment['DATABASE_URL'] ?? '',
      ];
      await query(
        environment['DATABASE_URL'] ?? '',
        'alter table service.receipt disable trigger user',
        `update service.receipt set body = replace(body, '"number":2', '"number":9') where stream = '${stream}' and idx = 2`,
      );
      expect(await run('incident', 'verify')).toMatch(/hash_mismatch at index 2/);
      expect(await run('incident', 'evidence')).toMatch(/receipt_append_only\s+\|\s+D/);
      for (const file of ['evidence.dump', 'evidence.jsonl', 'evidence-rows.csv', 'evidence.sha256'])
        expect((await readFile(join(directory, file))).length).toBeGreaterThan(0);
      expect(await run('incident', 'compare')).toContain('the rows differ');
      expect(
        (await readFile(join(directory, 'rows.diff'), 'utf8')).split('\n').filter((line) => /^[<>] 2\|/.test(line)),
      ).toHaveLength(2);
    });

    it('have no block of commands that was not run', () => {
      expect(
        blocks
          .map(({ page, name }) => `${page} ${name}`)
          .filter((one) => !ran.has(one) && (one !== 'doctor doctor' || sandboxSkipReason === undefined)),
      ).toEqual([]);
      expect(blocks.length).toBeGreaterThan(12);
    });
  },
);
