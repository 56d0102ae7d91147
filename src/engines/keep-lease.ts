// Keeps a sandbox alive as long as its worker. The controller ends a command no later than the lease under which it began,
// so the lease is extended before each command; the sandbox of a dead worker lasts no longer than that.
import type { SandboxClient } from '../sandbox/client.ts';
import { isGone } from './explain-loss.ts';

export const LEASE_MS = 90_000;
const RENEW_EVERY_MS = 25_000;

export interface Lease {
  /** Extends the lease beyond a command of this length. Call the returned function when the command is over. */
  cover(ms: number): Promise<() => void>;
  stop(): void;
}

export function keepLease(client: Pick<SandboxClient, 'renew'>, id: string, onLost: (error: unknown) => void): Lease {
  const commands = new Set<{ readonly until: number }>();
  const renew = async (): Promise<void> => {
    const longest = Math.max(0, ...[...commands].map(({ until }) => until - Date.now()));
    await client.renew(id, Math.ceil(longest + LEASE_MS));
  };
  // Not `every`: a renewal that hangs must not hold up the next one, or the lease runs out.
  const timer = setInterval(() => {
    // After any other failure, the next renewal still comes in time.
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
