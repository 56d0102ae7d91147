// A real process of the demo model providers, as it is shipped.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { builtEntry, COMPILE_CACHE } from '../built-entry.ts';
import { freePort } from '../free-port.ts';

export interface DemoProviders {
  /** The origin, without /v1. */
  readonly url: string;
  readonly child: ChildProcess;
  stop(): Promise<number | null>;
}

export async function startDemoProviders(): Promise<DemoProviders> {
  const port = await freePort();
  const child = fork(builtEntry('demo-providers'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: '/usr/bin:/bin', ...COMPILE_CACHE, SERVICE_DEMO_PROVIDERS_PORT: String(port) },
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const said = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
  if (said === undefined) throw new Error('the demo model providers ended while they started');
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
  };
}
