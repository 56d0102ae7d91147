// Measures the frames of a page while something happens on it: the time between two frames, what the browser itself
// reports as a long one, and the processor time of every task of the page's main thread. A machine that is busy with
// other things misses frames too: an idle stretch of the same page is measured beside it, and the processor time says
// which frames the page itself would miss on a machine of its own.
import type { Browser, Page } from 'playwright-core';

/** Two frames at 60 a second: what an eye begins to notice. */
const SLOW_FRAME_MS = 34;

export interface Frames {
  readonly times: readonly number[];
  /** Frames that the browser calls long (50 ms and more): how long, and which code took most of it. */
  readonly long: readonly { readonly ms: number; readonly source: string }[];
  /** The processor time of each task of the main thread, in milliseconds. */
  readonly tasks: readonly number[];
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** In microseconds. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Begins to measure; `stopFrames` ends it. */
export async function startFrames(page: Page): Promise<void> {
  await browserOf(page).startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] });
  await page.evaluate(`(() => {
    const frames = (window.benchFrames = { times: [], long: [], on: true });
    frames.observer = new PerformanceObserver((list) => {
      for (const { duration, scripts } of list.getEntries()) {
        const [longest] = [...scripts].sort((a, b) => b.duration - a.duration);
        const at = longest ? longest.invoker + ' ' + longest.sourceURL.split('/').at(-1) + ' ' + longest.sourceFunctionName + ' ' + Math.round(longest.duration) + ' ms' : '';
        frames.long.push({ ms: duration, source: at });
      }
    });
    frames.observer.observe({ type: 'long-animation-frame' });
    let last = performance.now();
    const next = (now) => {
      if (!frames.on) return;
      frames.times.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  })()`);
}

export async function stopFrames(page: Page): Promise<Frames> {
  const found = await page.evaluate<Omit<Frames, 'tasks'>>(`(() => {
    const { times, long, observer } = window.benchFrames;
    window.benchFrames.on = false;
    observer.disconnect();
    return { times: times.slice(1), long };
  })()`);
  return { ...found, tasks: readTasks(await browserOf(page).stopTracing()) };
}

function readTasks(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const thread = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const main = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(thread),
  );
  return traceEvents
    .filter((event) => event.name === 'RunTask' && event.ph === 'X' && main.has(thread(event)))
    .map(({ tdur = 0 }) => tdur / 1_000);
}

function browserOf(page: Page): Browser {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser');
  return browser;
}

export function describeFrames({ times, long }: Frames): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  const slow = times.filter((ms) => ms > SLOW_FRAME_MS).length;
  return `a frame takes ${at(0.5).toFixed(1)} ms (median), ${at(0.95).toFixed(1)} ms (p95), ${(sorted.at(-1) ?? 0).toFixed(1)} ms (worst); ${slow} of ${times.length} over ${SLOW_FRAME_MS} ms, ${long.length} long by the browser's count`;
}

/** How many tasks took more processor time than a frame has, and the longest. */
export function describeTasks({ tasks }: Frames): string {
  const total = tasks.reduce((sum, ms) => sum + ms, 0);
  return `${(total / 1_000).toFixed(1)} s of processor time, the longest task ${Math.max(0, ...tasks).toFixed(1)} ms; ${countSlowTasks(tasks)} over ${SLOW_FRAME_MS} ms`;
}

export function countSlowTasks(tasks: readonly number[]): number {
  return tasks.filter((ms) => ms > SLOW_FRAME_MS).length;
}
