// The report of a test run: vitest's own, then seconds per project, the slowest files, what was left out and why, and
// as the last line the tally. In CI what was left out without need counts as failed.
import { relative } from 'node:path';
import { DefaultReporter, type SerializedError, type TestCase, type TestModule, type TestRunEndReason, type Vitest } from 'vitest/node';
import type { LeftOut } from '../test/support/needs.ts';

const SLOWEST = 10;
const KINDS: Readonly<Record<LeftOut['kind'], string>> = { missing: 'left out', impossible: 'left out (not for this machine)', 'opt-in': 'opt-in' };

interface ProjectTally {
  passed: number;
  failed: number;
  skipped: number;
  startedAt: number;
  endedAt: number;
}

export default class TestReporter extends DefaultReporter {
  readonly #projects = new Map<string, ProjectTally>();
  readonly #fileMs = new Map<string, number>();
  readonly #startedAt = new Map<string, number>();
  #filtered = false;
  #root = '';

  override onInit(vitest: Vitest): void {
    super.onInit(vitest);
    this.#root = vitest.config.root;
    // Tests that a pattern excludes count as skipped too, and need no reason.
    this.#filtered = vitest.config.testNamePattern !== undefined;
  }

  override onTestModuleQueued(module: TestModule): void {
    super.onTestModuleQueued(module);
    const now = performance.now();
    this.#startedAt.set(module.id, now);
    const tally = this.#projects.get(module.project.name);
    if (!tally) this.#projects.set(module.project.name, { passed: 0, failed: 0, skipped: 0, startedAt: now, endedAt: now });
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    const now = performance.now();
    const tally = this.#projects.get(module.project.name);
    if (tally) tally.endedAt = now;
    this.#fileMs.set(`${module.project.name} ${relative(this.#root, module.moduleId)}`, now - (this.#startedAt.get(module.id) ?? now));
  }

  override onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason): void {
    super.onTestRunEnd(modules, errors, reason);
    const leftOut = new Map<string, LeftOut & { tests: number }>();
    for (const module of modules) this.#count(module, leftOut);
    const strict = Boolean(process.env['CI']);
    const lines = [...this.#projectLines(), ...this.#slowestLines(), ...leftOutLines(leftOut, strict)];
    process.stdout.write(`${lines.join('\n')}\n\n${this.#tallyLine(leftOut, errors.length, strict)}\n`);
  }

  #count(module: TestModule, leftOut: Map<string, LeftOut & { tests: number }>): void {
    const tally = this.#projects.get(module.project.name);
    if (!tally) return;
    const before = tally.failed;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') tally.passed++;
      else if (state === 'failed' || setupFailed(test)) tally.failed++;
      else {
        tally.skipped++;
        const why = test.meta().leftOut ?? (this.#filtered ? undefined : { reason: `no reason is given (${relative(this.#root, module.moduleId)})`, kind: 'missing' as const });
        if (why) leftOut.set(why.reason, { ...why, tests: (leftOut.get(why.reason)?.tests ?? 0) + 1 });
      }
    }
    // A file that could not be loaded has no tests to count.
    if (module.state() === 'failed' && tally.failed === before) tally.failed++;
  }

  #projectLines(): string[] {
    const rows = [...this.#projects].map(([name, { passed, failed, skipped, startedAt, endedAt }]) => `  ${name.padEnd(14)} ${seconds(endedAt - startedAt)}  ${passed} passed, ${failed} failed, ${skipped} skipped`);
    return ['Projects', ...rows];
  }

  #slowestLines(): string[] {
    const slowest = [...this.#fileMs].sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
    return ['', 'Slowest files', ...slowest.map(([file, ms]) => `  ${seconds(ms)}  ${file}`)];
  }

  #tallyLine(leftOut: ReadonlyMap<string, LeftOut & { tests: number }>, errors: number, strict: boolean): string {
    const all = [...this.#projects.values()];
    const sum = (name: 'passed' | 'failed' | 'skipped'): number => all.reduce((total, tally) => total + tally[name], 0);
    const refused = strict ? [...leftOut.values()].filter(({ kind }) => kind === 'missing').reduce((total, { tests }) => total + tests, 0) : 0;
    const failed = sum('failed') + errors + refused;
    if (failed > 0) process.exitCode = 1;
    return `${sum('passed')} passed, ${failed} failed, ${sum('skipped') - refused} skipped`;
  }
}

function leftOutLines(leftOut: ReadonlyMap<string, LeftOut & { tests: number }>, strict: boolean): string[] {
  if (leftOut.size === 0) return ['', 'Nothing was left out.'];
  const heading = strict ? 'Not run; in CI what is left out fails' : 'Not run';
  return ['', heading, ...[...leftOut.values()].map(({ reason, kind, tests }) => `  ${KINDS[kind]}: ${tests} ${tests === 1 ? 'test' : 'tests'}: ${reason}`)];
}

/** Tests behind a hook that failed are marked as skipped. */
function setupFailed(test: TestCase): boolean {
  for (let at = test.parent; ; at = at.parent) {
    if (at.errors().length > 0) return true;
    if (at.type === 'module') return false;
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1).padStart(7)} s`;
}
