// The engines of a worker, loaded with its first run: most workers are idle most of the time, and the engines are
// larger than everything else they load.
import { ENGINE_KINDS, type Engine, type Engines } from '../runs/delivery/engine.ts';
import { RUN_KINDS, type RunKind } from '../runs/record/run-states.ts';
import type { OpenEngines } from './open-engines.ts';
import type { RoleDeps } from './role-deps.ts';

export function openLazyEngines(deps: RoleDeps): OpenEngines {
  let opened: Promise<OpenEngines> | undefined;
  async function open(): Promise<OpenEngines> {
    const { openEngines } = await import('./open-engines.ts');
    return openEngines(deps);
  }
  const later =
    (kind: RunKind): Engine =>
    async (run) => {
      const engine = (await (opened ??= open())).engines[kind];
      if (!engine) throw new Error(`runs of kind ${kind} have no engine`);
      return engine(run);
    };
  return {
    engines: Object.fromEntries(
      RUN_KINDS.map((kind) => [kind, ENGINE_KINDS[kind] ? later(kind) : undefined]),
    ) as Engines,
    async close() {
      await (await opened)?.close();
    },
  };
}
