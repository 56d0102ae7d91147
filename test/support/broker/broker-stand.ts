// Broker replicas and workers as real processes on a schema of their own.
import { inject } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import { builtEntry } from '../built-entry.ts';
import { openTestDatabase } from '../database.ts';
import { freePort } from '../free-port.ts';
import { type Program, startProgram } from '../watch-process.ts';

const NODE = [process.execPath, '--disable-warning=ExperimentalWarning'];

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
        startProgram([...NODE, builtEntry('broker')], {
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
      const program = keep(
        startProgram([...NODE, 'test/support/broker/broker-worker.ts', url, group, workGroup, String(credit)], {}),
      );
      await program.said('connected');
      return program;
    },
    async close() {
      await Promise.all(programs.map((program) => program.stop('SIGKILL')));
      await db.close();
    },
  };
}
