// Runs a script of the service in the sandbox of a run. Whatever the run has left there (configuration, hooks,
// variables) does not reach it: its environment is empty but for what git needs to be left alone.
import type { EndReason } from '../../sandbox/driver.ts';
import { EGRESS_ENVIRONMENT } from '../../sandbox/egress/inside.ts';
import type { ExecEvent, ExecInput } from '../../sandbox/protocol.ts';

export type Exec = (input: ExecInput) => AsyncIterable<ExecEvent>;

/** Nothing of the machine, of a person, or of the run configures git. */
const PLAIN_GIT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'http:https',
};

export interface GitScript {
  readonly script: string;
  readonly args: readonly string[];
  /** Whether it reaches the brokers of the sandbox. */
  readonly network?: true;
  readonly timeoutMs: number;
}

export interface GitOutcome {
  readonly code: number | null;
  readonly reason?: EndReason;
  readonly stdout: string;
  /** The end of what it complained about. */
  readonly stderr: string;
}

const HEARD_CHARS = 512 * 1024;
const COMPLAINT_CHARS = 4_000;

export async function runGit(exec: Exec, { script, args, network, timeoutMs }: GitScript): Promise<GitOutcome> {
  const proxy = network === true ? { http_proxy: EGRESS_ENVIRONMENT.http_proxy } : {};
  const environment = Object.entries({ ...PLAIN_GIT, ...proxy }).map(([name, value]) => `${name}=${value}`);
  const clean = ['/usr/bin/env', '-i', ...environment];
  const argv = [...clean, '/bin/bash', '--noprofile', '--norc', '-c', script, 'git', ...args];
  let [stdout, stderr] = ['', ''];
  for await (const event of exec({ argv, timeoutMs })) {
    if (event.t === 'out' && event.fd === 1) stdout = (stdout + event.d).slice(0, HEARD_CHARS);
    else if (event.t === 'out') stderr = (stderr + event.d).slice(-COMPLAINT_CHARS);
    else if (event.t === 'exit')
      return { code: event.code, ...(event.reason === undefined ? {} : { reason: event.reason }), stdout, stderr };
  }
  throw new Error('a command ended without an exit');
}
