import { defineConfig } from 'vitest/config';

// Fast tests first. The name of a test file says what it needs: see CONTRIBUTING.md.
export default defineConfig({
  test: {
    reporters: ['./scripts/test-reporter.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,cli,web,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.pg.test.ts', '**/node_modules/**'],
          // Nothing here takes that long; a busy machine does.
          testTimeout: 30_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'pg',
          include: ['{src,cli}/**/*.pg.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'flows',
          include: ['test/flows/**/*.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
