// Checks rules, and evaluates them against sample text for the test route only; no live traffic passes through here.
// Both run on a thread with a time limit, because both depend on user input.
import { join } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { programDirectory } from '../../process/package-root.ts';
import { createThreadPool, type ThreadPool } from '../../process/thread-pool.ts';
import type { GuardrailMatch, GuardrailRule } from '../../contract/guardrails.ts';
import type { GuardrailRun, GuardrailResult } from './guardrail-thread.ts';

/** For all rules together. */
const TIME_LIMIT_MS = 3_000;
const MOST_WAITING = 50;

let threads: ThreadPool<GuardrailRun, GuardrailResult> | undefined;

/** In text order. */
export async function evaluateRules(rules: readonly GuardrailRule[], text: string): Promise<readonly GuardrailMatch[]> {
  return (await runOnThread({ rules, text })).matches;
}

/** Faults of the configs, by rule and field. */
export async function findRuleFaults(rules: readonly GuardrailRule[]): Promise<Readonly<Record<string, string>>> {
  return (await runOnThread({ rules })).faults;
}

function runOnThread(run: GuardrailRun): Promise<GuardrailResult> {
  threads ??= createThreadPool({
    file: programFile(),
    timeLimitMs: TIME_LIMIT_MS,
    mostWaiting: MOST_WAITING,
    memoryMb: 128,
    tooSlow: () => new AppError('guardrail_too_slow'),
    tooMany: () => new AppError('rate_limited', { retryAfterSeconds: 5 }),
  });
  return threads.run(run);
}

/** Next to this file in the sources, next to the entry points once bundled. */
function programFile(): string {
  return import.meta.filename.endsWith('.ts')
    ? join(import.meta.dirname, 'guardrail-thread.ts')
    : join(programDirectory(), 'guardrail-thread.js');
}
