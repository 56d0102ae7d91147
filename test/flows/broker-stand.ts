// Broker replicas and workers as real processes on a schema of their own.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { builtEntry, COMPILE_CACHE } from '../support/built-entry.ts';
import { openTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';

const ROOT = join(import.meta.dirname, '..', '..');

export interface Program {
  readonly child: ChildProcess;
  readonly lines: string[];
  /** The first line, past or to come, that holds this text. */
  said(text: string): Promise<string>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface BrokerStand {
  readonly db: Database;
  broker(
    port?: number,
    environment?: Record<string, string>,
  ): Promise<Program & { readonly url: string; readonly port: number }>;
  worker(url: string, group: string, workGroup: string, credit?: number): Promise<Program>;
  close(): Promise<void>;
}

export async function openBrokerStand(): Promise<BrokerStand> {
  const db = await openTestDatabase();
  const programs: Program[] = [];
  const keep = <P extends Program>(program: P): P => {
    programs.push(program);
    return program;
  };
  return {
    db,
    async broker(given, environment = {}) {
      const port = given ?? (await freePort());
      const program = keep(
        run([builtEntry('broker')], {
          SERVICE_UPSTREAM_DB: inject('postgresUrl'),
          SERVICE_DB_SCHEMA: db.schema,
          SERVICE_BROKER_PORT: String(port),
          SERVICE_BROKER_ALLOW_OPEN: '1',
          ...environment,
        }),
      );
      await program.said('broker is listening');
      return { ...program, port, url: `http://127.0.0.1:${port}` };
    },
    async worker(url, group, workGroup, credit = 16) {
      const program = keep(run(['test/support/broker-worker.ts', url, group, workGroup, String(credit)], {}));
      await program.said('connected');
      return program;
    },
    async close() {
      await Promise.all(programs.map((program) => program.stop('SIGKILL')));
      await db.close();
    },
  };
}

function run(args: string[], environment: Record<string, string>): Program {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin', ...COMPILE_CACHE, ...environment },
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  let stderr = '';
  let code: number | null | undefined;
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const complete = (rest + chunk).split('\n');
    rest = complete.pop() ?? '';
    lines.push(...complete);
    for (const look of waiting) look();
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (status) => {
      code = status;
      resolve(status);
      for (const look of waiting) look();
    });
  });
  return {
    child,
    lines,
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const line = lines.find((one) => one.includes(text));
          if (line !== undefined) resolve(line);
          else if (code !== undefined)
            reject(new Error(`ended with ${code} without saying "${text}": ${stderr || lines.at(-1)}`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
    stop(signal = 'SIGTERM') {
      if (code === undefined) child.kill(signal);
      return exited;
    },
  };
}
