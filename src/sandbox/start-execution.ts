// One command in a sandbox: its output goes into a log, its time is limited, and it is killed when its time is up or
// when the last follower has left and none comes back.
import { newId } from '../base/ids.ts';
import type { Command, DriverSandbox, EndReason } from './driver.ts';
import { createExecLog, type ExecLog } from './exec-log.ts';

export interface Execution {
  readonly id: string;
  readonly log: ExecLog;
  /** Kills it; the first reason is kept. */
  end(reason: EndReason): void;
  readonly done: Promise<void>;
}

/** How long a caller that lost the connection has to come back. */
const GRACE_MS = 5_000;

export async function startExecution(options: {
  sandbox: DriverSandbox;
  command: Command;
  outputBytes: number;
  timeoutMs: number;
}): Promise<Execution> {
  const { sandbox, command, outputBytes, timeoutMs } = options;
  const id = newId('exe');
  const log = createExecLog(id, outputBytes);
  const startedAt = performance.now();
  const running = await sandbox.exec(command);
  let reason: EndReason | undefined;
  const end = (why: EndReason): void => {
    if (log.ended) return;
    reason ??= why;
    running.kill();
  };
  running.stdout.on('data', (chunk: Buffer) => log.write(1, chunk));
  running.stderr.on('data', (chunk: Buffer) => log.write(2, chunk));
  const timeout = setTimeout(() => end('timeout'), timeoutMs);
  let grace: NodeJS.Timeout | undefined;
  log.onAbandoned = () => {
    clearTimeout(grace);
    grace = setTimeout(() => log.followers === 0 && end('abandoned'), GRACE_MS);
  };
  log.onAbandoned();
  const done = (async () => {
    const { code, signal, reason: own } = await running.exited;
    reason ??= own;
    clearTimeout(timeout);
    clearTimeout(grace);
    log.end({
      t: 'exit',
      code,
      signal,
      ms: Math.round(performance.now() - startedAt),
      stats: await sandbox.stats().catch(() => ({})),
      ...(reason === undefined ? {} : { reason }),
    });
    clearTimeout(grace);
  })();
  return { id, log, end, done };
}
