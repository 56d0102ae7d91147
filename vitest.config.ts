import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/test-order.ts';
import { appLogos } from './web/app-logos-plugin.ts';
import { contractRoutes } from './web/contract-routes-plugin.ts';

/** Vitest would leave a core to itself, which on two cores means one file at a time. */
const cores = availableParallelism();
/** Files that mostly wait, for PostgreSQL or for processes they started: one more than there are cores keeps all busy. */
const waiting = cores + 1;

/** Loading the modules of the product again for every file would take longer than the tests in it. */
const shared = { isolate: false, setupFiles: ['test/support/leave-no-trace.ts'] };

/** Files with real processes and browsers. */
const processes = {
  ...shared,
  globalSetup: ['test/support/postgres-setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 180_000,
  // The default is one second, which a page or a process on a busy machine may need for a single step.
  expect: { poll: { timeout: 30_000 } },
  // Each file runs a whole stack or several roles: more of them at once cost more memory than they save time. Some wait
  // for seconds that a rule grants: one more worker uses the cores meanwhile.
  maxWorkers: Math.min(waiting + 1, 4),
};

/** Files that use what the machine has only once: they fill its memory, its processor or its process table on purpose. */
const ALONE = ['test/flows/sandbox-*.test.ts', 'test/flows/runs-limits.test.ts'];

// Fast tests first. The name of a test file says what it needs: see CONTRIBUTING.md. No test is tried twice: one that
// fails now and then shows a fault.
export default defineConfig({
  test: {
    reporters: ['./scripts/test-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [contractRoutes(), appLogos()],
        test: {
          ...shared,
          name: 'unit',
          include: ['{src,stand-ins,cli,web,scripts}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.pg.test.ts', '**/node_modules/**'],
          // Nothing here takes that long; a busy machine does.
          testTimeout: 30_000,
          expect: { poll: { timeout: 20_000 } },
          maxWorkers: cores,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'pg',
          include: ['{src,cli}/**/*.pg.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
          maxWorkers: waiting,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...processes,
          name: 'flows',
          include: ['test/flows/**/*.test.ts'],
          exclude: ALONE,
          sequence: { groupOrder: 3 },
        },
      },
      { test: { ...processes, name: 'flows-alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 4 } } },
      {
        test: {
          ...processes,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: [...processes.globalSetup, 'test/support/stack/shared-stack.ts'],
          // A page is busy, not waiting.
          maxWorkers: Math.min(cores, 4),
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
});
