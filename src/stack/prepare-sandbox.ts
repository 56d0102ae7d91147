// What npm start prepares for the sandbox controller: bubblewrap if the machine lacks it, a cgroup of its own if
// systemd delegates one to unprivileged users, and the variables that locate a rootless container engine. Without these
// the controller still starts, and reports what it lacks.
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { pickClientVariables } from '../sandbox/docker/docker-program.ts';
import { provideBubblewrap } from '../sandbox/provide-bubblewrap.ts';
import { findScope } from './delegated-scope.ts';
import { type Environment, isSet } from './environment-values.ts';
import type { Lines } from './lines.js';

/** How a part is started, if not directly. */
export interface Wrapper {
  /** Prepended to the program. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export async function prepareSandbox(options: {
  environment: Environment;
  root: string;
  dataDirectory: string;
  lines: Pick<Lines, 'begin'>;
  stop: AbortSignal;
}): Promise<Wrapper> {
  const { environment, root, dataDirectory, lines, stop } = options;
  const bwrap = isSet(environment.SERVICE_SANDBOX_BWRAP)
    ? undefined
    : await provideBubblewrap({ cache: await findCache(root, dataDirectory), begin: lines.begin, signal: stop });
  const scope = isSet(environment.SERVICE_SANDBOX_CGROUP) ? undefined : await findScope(environment);
  return {
    command: scope?.command ?? [],
    environment: {
      ...pickClientVariables(environment),
      ...(bwrap === undefined ? {} : { SERVICE_SANDBOX_BWRAP: bwrap }),
      ...(scope === undefined ? {} : { ...scope.environment, SERVICE_SANDBOX_CGROUP: 'self' }),
    },
  };
}

/** Next to the checkout, where all data directories share it; in the data directory if the checkout is read-only. */
async function findCache(root: string, dataDirectory: string): Promise<string> {
  const writable = await access(root, constants.W_OK).then(
    () => true,
    () => false,
  );
  return join(writable ? join(root, '.cache') : join(dataDirectory, 'cache'), 'debian');
}
