// Clients that start runs without a pause, and what the service has acknowledged to them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { RuntimeStand } from '../runs/runtime-stand.ts';
import { poll } from '../poll.ts';

export interface AcknowledgedRun {
  readonly id: string;
  readonly atMs: number;
}

export interface RunLoad {
  readonly acknowledged: readonly AcknowledgedRun[];
  /** Resolves when so many more are acknowledged. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

const CLIENTS = 4;
/** Between a refusal and the next attempt. */
const PAUSE_MS = 20;

export function startRunLoad(stand: RuntimeStand): RunLoad {
  const acknowledged: AcknowledgedRun[] = [];
  const stopping = new AbortController();
  let started = 0;
  async function beClient(): Promise<void> {
    while (!stopping.signal.aborted) {
      const body = { objective: 'sleep 1', kind: 'chat', idempotencyKey: `load-${started++}` };
      // The key makes it one run, however often it is asked for.
      for (;;) {
        const answer = await stand.request('POST', '/agents/factory/jobs', { body }).catch(() => undefined);
        if (answer?.status === 202) {
          acknowledged.push({ id: answer.body.job.id as string, atMs: performance.now() });
          break;
        }
        if (stopping.signal.aborted) return;
        await sleep(PAUSE_MS);
      }
    }
  }
  const running = Array.from({ length: CLIENTS }, beClient);
  return {
    acknowledged,
    async more(count) {
      const enough = acknowledged.length + count;
      await poll(() => acknowledged.length >= enough);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
