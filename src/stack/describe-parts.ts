import { sandboxUrl } from '../net/addresses.ts';
import type { Config } from '../base/config.ts';
import { findProcess } from '../process/find-process.ts';
import type { StackPart } from './stack-file.ts';
import type { Supervisor } from './supervise.ts';

type Addresses = Pick<StackPart, 'port' | 'url' | 'connectPort' | 'connectUrl' | 'smtpPort'>;

/**
 * The running parts as stack.json shows them. The database URL is left out here: it contains a password and has a field
 * of its own.
 */
export function describeParts({ running }: Pick<Supervisor, 'running'>, config: Config): Record<string, StackPart> {
  return Object.fromEntries(
    [...running].map(([name, { launched, startedAt, restarts }]) => {
      const identity = findProcess(launched.pid)?.identity;
      return [
        name,
        {
          pid: launched.pid,
          ...addressesOf(name, launched.port, config),
          startedAt: startedAt.toISOString(),
          restarts,
          ...(identity === undefined ? {} : { identity }),
        },
      ];
    }),
  );
}

function addressesOf(name: string, port: number | undefined, config: Config): Addresses {
  // The controller listens on a socket instead of a port, unless a URL is set.
  if (name === 'sandbox') return { url: sandboxUrl(config) };
  if (port === undefined) return {};
  if (name === 'postgres') return { port };
  if (name === 'local-mailbox') return { port, url: local(port), smtpPort: config.SERVICE_LOCAL_MAILBOX_SMTP_PORT };
  const connectPort = config.SERVICE_LOCAL_INTEGRATIONS_CONNECT_PORT;
  return {
    port,
    url: local(port),
    ...(name === 'local-integrations' ? { connectPort, connectUrl: local(connectPort) } : {}),
  };
}

function local(port: number): string {
  return `http://127.0.0.1:${port}`;
}
