// Vitest's own report, then our summary. In CI what was left out without need fails the run.
import { relative } from 'node:path';
import {
  DefaultReporter,
  type SerializedError,
  type TestCase,
  type TestModule,
  type TestRunEndReason,
  type Vitest,
} from 'vitest/node';
import { summarizeTests, type TestOutcome } from './summarize-tests.ts';

export default class TestReporter extends DefaultReporter {
  readonly #projectMs = new Map<string, { from: number; to: number }>();
  readonly #startedAt = new Map<string, number>();
  readonly #fileMs = new Map<string, number>();
  #filtered = false;
  #root = '';

  override onInit(vitest: Vitest): void {
    super.onInit(vitest);
    this.#root = vitest.config.root;
    this.#filtered = vitest.config.testNamePattern !== undefined;
  }

  override onTestModuleQueued(module: TestModule): void {
    super.onTestModuleQueued(module);
    const now = performance.now();
    this.#startedAt.set(module.id, now);
    if (!this.#projectMs.has(module.project.name)) this.#projectMs.set(module.project.name, { from: now, to: now });
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    const now = performance.now();
    const project = this.#projectMs.get(module.project.name);
    if (project) project.to = now;
    this.#fileMs.set(this.#fileOf(module), now - (this.#startedAt.get(module.id) ?? now));
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason);
    const { lines, failed } = summarizeTests({
      outcomes: modules.flatMap((module) => this.#outcomesOf(module)),
      errors: errors.length,
      projectMs: new Map([...this.#projectMs].map(([name, { from, to }]) => [name, to - from])),
      fileMs: this.#fileMs,
      strict: Boolean(process.env['CI']),
    });
    if (failed > 0) process.exitCode = 1;
    process.stdout.write(`${lines.join('\n')}\n`);
  }

  #outcomesOf(module: TestModule): TestOutcome[] {
    const outcomes = [...module.children.allTests()].map((test) => this.#outcomeOf(test));
    // A file that could not be loaded has no tests.
    const failedElsewhere = module.state() === 'failed' && outcomes.every(({ state }) => state !== 'failed');
    return failedElsewhere ? [...outcomes, { project: module.project.name, state: 'failed' }] : outcomes;
  }

  #outcomeOf(test: TestCase): TestOutcome {
    const project = test.project.name;
    const { state } = test.result();
    if (state === 'passed') return { project, state };
    if (state === 'failed' || setupFailed(test)) return { project, state: 'failed' };
    const leftOut =
      test.meta().leftOut ??
      (this.#filtered ? undefined : { kind: 'missing', reason: `${this.#fileOf(test.module)} gives no reason` });
    return { project, state: 'skipped', leftOut };
  }

  #fileOf(module: TestModule): string {
    return relative(this.#root, module.moduleId);
  }
}

/** Tests behind a hook that failed are marked as skipped. */
function setupFailed(test: TestCase): boolean {
  for (let at = test.parent; ; at = at.parent) {
    if (at.errors().length > 0) return true;
    if (at.type === 'module') return false;
  }
}
