import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Needs images and minutes; `npm run test:deploy` makes them and runs these, `npm test` does not.
export default defineConfig({
  test: {
    name: 'deploy',
    root: join(import.meta.dirname, '..', '..'),
    reporters: ['./scripts/test-reporter.ts'],
    include: ['test/deploy/**/*.test.ts', 'test/flows/sandbox-container.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
