import { findProcess } from '../base/find-process.ts';
import type { StackPart } from './stack-file.ts';
import type { Supervisor } from './supervise.ts';

/** The running parts as stack.json shows them. The database's URL holds its password and stands there once. */
export function describeParts({ running }: Supervisor): Record<string, StackPart> {
  return Object.fromEntries(
    [...running].map(([name, { launched, startedAt, restarts }]) => {
      const identity = findProcess(launched.pid)?.identity;
      return [
        name,
        {
          pid: launched.pid,
          ...(launched.port === undefined ? {} : { port: launched.port, ...(name === 'postgres' ? {} : { url: `http://127.0.0.1:${launched.port}` }) }),
          startedAt: startedAt.toISOString(),
          restarts,
          ...(identity === undefined ? {} : { identity }),
        },
      ];
    }),
  );
}
