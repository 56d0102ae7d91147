// The model catalogue of a running process. It is read again when one of its files changes and at SIGHUP; one that cannot be
// used is logged, and the former one stays. Files are polled, because a mounted ConfigMap is replaced behind a symbolic
// link, and network file systems report no changes.
import { statSync } from 'node:fs';
import { type Config, ConfigError } from '../base/config.ts';
import type { Log } from '../telemetry/log.ts';
import { every } from '../timing/every.ts';
import { loadModels } from './load-models.ts';
import type { ModelCatalog } from './model-catalog.ts';

export interface OpenModels {
  /** Always as last read. */
  readonly catalog: ModelCatalog;
  reload(): void;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 5_000;

/** Throws a ConfigError if the files cannot be used now. */
export function openModels(
  { SERVICE_MODEL_CATALOG: file, SERVICE_MODEL_PRICES: prices }: ModelFiles,
  log: Log,
  everyMs = LOOK_EVERY_MS,
): OpenModels {
  const files = [file, prices].filter((path) => path !== undefined);
  let seen = files.map(stateOf).join();
  let current = loadModels(file, { prices });

  function reload(): void {
    // Noted before the files are read, so that a change in between is not missed.
    seen = files.map(stateOf).join();
    try {
      current = loadModels(file, { prices });
      log.info({ models: current.models.length, fromFile: current.fromFile.size }, 'model catalogue was read again');
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      log.error({ reason: error.message }, 'model catalogue cannot be used; the former one stays in force');
    }
  }

  const looking =
    files.length === 0
      ? undefined
      : every({
          everyMs,
          task: 'look for a changed model catalogue',
          log,
          run() {
            if (files.map(stateOf).join() !== seen) reload();
          },
        });
  return {
    catalog: {
      get models() {
        return current.models;
      },
      get byName() {
        return current.byName;
      },
      get providers() {
        return current.providers;
      },
      get fromFile() {
        return current.fromFile;
      },
    },
    reload,
    close: async () => looking?.stop(),
  };
}

type ModelFiles = Pick<Config, 'SERVICE_MODEL_CATALOG' | 'SERVICE_MODEL_PRICES'>;

function stateOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path);
    return [ino, size, mtimeMs, ctimeMs].join('-');
  } catch {
    return 'unreadable';
  }
}
