import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Long tests that break things on purpose; `npm run test:faults` runs them, `npm test` does not.
export default defineConfig({
  test: {
    name: 'faults',
    root: join(import.meta.dirname, '..', '..'),
    reporters: ['./scripts/test-reporter.ts'],
    include: ['test/faults/**/*.test.ts'],
    globalSetup: ['test/support/postgres-setup.ts'],
    testTimeout: 600_000,
    hookTimeout: 180_000,
    fileParallelism: false,
    passWithNoTests: true,
  },
});
