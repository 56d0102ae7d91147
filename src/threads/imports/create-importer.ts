// The imports of one web process. An import that can start is announced; the periodic run finds those whose announcement
// or process was lost.
import type { Listener } from '../../store/listen.ts';
import { every } from '../../timing/every.ts';
import { dropStale, IMPORTS_TOPIC } from './imports.ts';
import { type ImportDeps, runImport, takeImport } from './run-import.ts';

export interface Importer {
  /** What is under way goes on in another process, or in the next one. */
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 10_000;
const CLEANUP_EVERY_MS = 3_600_000;
/** Imports at once; others wait in the order in which they were started. */
const AT_ONCE = 2;

export function createImporter(deps: ImportDeps & { readonly listener: Listener | undefined }): Importer {
  const { db, log, listener } = deps;
  const workers = Array.from({ length: AT_ONCE }, () =>
    every({
      everyMs: LOOK_EVERY_MS,
      task: 'importing chats',
      log,
      async run(stopping) {
        for (let next = await takeImport(db); next && !stopping.aborted; next = await takeImport(db))
          await runImport(deps, next, stopping);
      },
    }),
  );
  const cleanup = every({ everyMs: CLEANUP_EVERY_MS, task: 'import cleanup', log, run: () => dropStale(db) });
  const unsubscribe = listener?.subscribe(IMPORTS_TOPIC, () => workers.forEach((worker) => void worker.run()));
  return {
    async close() {
      unsubscribe?.();
      await Promise.all([...workers, cleanup].map((each) => each.stop()));
    },
  };
}
