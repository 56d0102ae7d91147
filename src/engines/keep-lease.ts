// Keeps a sandbox alive while its worker is. The controller ends a command no later than the lease it began under, so
// the lease is stretched before one begins; a worker that dies leaves its sandbox for no longer than that.
import type { SandboxClient } from '../sandbox/client.ts';
import { isGone } from './explain-loss.ts';

export const LEASE_MS = 90_000;
const RENEW_EVERY_MS = 25_000;

export interface Lease {
  /** Makes the lease outlast a command of this length; call what it returns when the command is over. */
  cover(ms: number): Promise<() => void>;
  stop(): void;
}

export function keepLease(client: Pick<SandboxClient, 'renew'>, id: string, onLost: (error: unknown) => void): Lease {
  const commands = new Set<{ readonly until: number }>();
  const renew = async (): Promise<void> => {
    const longest = Math.max(0, ...[...commands].map(({ until }) => until - Date.now()));
    await client.renew(id, Math.ceil(longest + LEASE_MS));
  };
  const timer = setInterval(() => {
    // One that fails otherwise is made again in time.
    renew().catch((error: unknown) => (isGone(error) ? onLost(error) : undefined));
  }, RENEW_EVERY_MS);
  return {
    async cover(ms) {
      const command = { until: Date.now() + ms };
      commands.add(command);
      await renew().catch((error: unknown) => {
        commands.delete(command);
        throw error;
      });
      return () => commands.delete(command);
    },
    stop: () => clearInterval(timer),
  };
}
