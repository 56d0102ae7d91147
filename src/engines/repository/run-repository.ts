// The repository of a run, through the life of its sandbox: checked out before it begins, compared when it ends, and
// packed if its commits are to be delivered.
import type { RunAttempt } from '../../runs/delivery/engine.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Checkout, type CheckoutNeeds, checkOut } from './check-out.ts';
import { collectChanges } from './collect-changes.ts';
import { packCommits } from './pack-commits.ts';
import type { Exec } from './run-git.ts';

export interface RunRepository {
  checkOut(needs: CheckoutNeeds): Promise<void>;
  compare(signal: AbortSignal): Promise<void>;
  pack(): Promise<void>;
}

interface RepositoryParts {
  readonly client: Pick<SandboxClient, 'exec' | 'readFile' | 'writeFile'>;
  readonly id: string;
  readonly attempt: RunAttempt;
  /** Keeps the sandbox alive for as long as the command takes. */
  readonly exec: Exec;
  readonly log: Log;
}

export function runRepository({ client, id, attempt, exec, log }: RepositoryParts): RunRepository {
  let checkout: Checkout | undefined;
  const read = (path: string, maxBytes: number): Promise<Buffer> => client.readFile(id, path, maxBytes);
  const write = (path: string, bytes: Buffer): Promise<void> => client.writeFile(id, path, bytes);
  return {
    async checkOut(needs) {
      checkout = await checkOut({ exec, read, write, log }, attempt, needs);
    },
    async compare(signal) {
      await collectChanges({ client, id, checkout }, attempt, signal, log);
    },
    async pack() {
      if (attempt.run.deliver === undefined || checkout === undefined) return;
      await packCommits(exec, read, await attempt.artifacts(), checkout).catch((error: unknown) =>
        log.warn({ job: attempt.run.id, err: error }, 'could not pack the commits of a run'),
      );
    },
  };
}
