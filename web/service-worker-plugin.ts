// Builds the service worker: one file without a hash in its name, which says in itself what build it belongs to.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const FILE = 'service-worker.js';

export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    buildStart() {
      this.emitFile({
        type: 'chunk',
        id: join(import.meta.dirname, 'installed', 'service-worker.ts'),
        fileName: FILE,
      });
    },
    generateBundle(_options, bundle) {
      const worker = bundle[FILE];
      if (worker?.type !== 'chunk') throw new Error('the service worker was not built');
      // A worker that imports is a module, which is not what the page registers.
      if (worker.imports.length > 0) throw new Error(`the service worker shares code: ${worker.imports.join(', ')}`);
      const build = createHash('sha256').update(Object.keys(bundle).toSorted().join('\n')).digest('hex').slice(0, 16);
      if (!worker.code.includes('__BUILD__')) throw new Error('the service worker does not name its build');
      worker.code = worker.code.replaceAll('__BUILD__', build);
    },
  };
}
