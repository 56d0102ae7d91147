// Runs a regular expression that a user wrote. Backtracking can take longer than the age of the universe, and nothing
// stops it on the thread it runs on; so it runs on a thread of its own, which is ended when its time is up. A few at
// once, so that nobody can take every core.
import { Worker } from 'node:worker_threads';
import { AppError } from '../../base/errors.ts';
import type { Span } from './kind-row.ts';

export interface RegexRun {
  readonly pattern: string;
  readonly flags: string;
  readonly text: string;
  readonly most: number;
}

const TIME_LIMIT_MS = 250;
const START_LIMIT_MS = 10_000;
const AT_ONCE = 2;
const MOST_WAITING = 50;

/** Complete in itself: a thread that is started from a text needs no file beside the bundle. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
parentPort.postMessage({ started: true });
const spans = [];
for (const match of workerData.text.matchAll(new RegExp(workerData.pattern, workerData.flags + 'g'))) {
  if (match[0] === '') continue;
  spans.push({ start: match.index, end: match.index + match[0].length });
  if (spans.length === workerData.most) break;
}
parentPort.postMessage({ spans });
`;

type Message = { readonly started: true } | { readonly started?: never; readonly spans: readonly Span[] };

let running = 0;
const waiting: (() => void)[] = [];

export async function runRegex(run: RegexRun): Promise<readonly Span[]> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MOST_WAITING) throw new AppError('rate_limited', { retryAfterSeconds: 5 });
    // The one that ends hands its place over, so the count stays as it is.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running++;
  try {
    return await runOnThread(run);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

async function runOnThread(run: RegexRun): Promise<readonly Span[]> {
  const worker = new Worker(PROGRAM, { eval: true, workerData: run, env: {}, execArgv: [], stdin: false, resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 } });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const endAfter = (limitMs: number): void => {
        clearTimeout(timer);
        timer = setTimeout(() => reject(new AppError('guardrail_too_slow')), limitMs);
      };
      endAfter(START_LIMIT_MS);
      worker.on('message', (message: Message) => (message.started ? endAfter(TIME_LIMIT_MS) : resolve(message.spans)));
      // Out of memory, or of stack: too much for this text either way.
      worker.on('error', () => reject(new AppError('guardrail_too_slow')));
      worker.on('exit', () => reject(new AppError('guardrail_too_slow')));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
