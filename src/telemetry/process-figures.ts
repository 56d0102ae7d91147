// What a process knows about itself: memory, CPU and the delay of its event loop.
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface ProcessFigures {
  readonly rssBytes: number;
  readonly heapUsedBytes: number;
  /** Share of one core since the last reading, in percent. */
  readonly cpuPercent: number;
  /** 99th percentile of the event loop's delay since the last reading. */
  readonly loopDelayMs: number;
}

/** How often the loop is sampled. Each sample wakes the process, so a short interval is what an idle process would cost. */
export const LOOP_SAMPLE_MS = 100;

export function measureProcess(): { read(): ProcessFigures; stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: LOOP_SAMPLE_MS });
  delay.enable();
  let lastCpu = process.cpuUsage();
  let lastAt = performance.now();
  return {
    read() {
      const used = process.cpuUsage(lastCpu);
      const elapsedMs = Math.max(performance.now() - lastAt, 1);
      lastCpu = process.cpuUsage();
      lastAt = performance.now();
      const { rss, heapUsed } = process.memoryUsage();
      const p99 = delay.percentile(99) / 1e6;
      delay.reset();
      return {
        rssBytes: rss,
        heapUsedBytes: heapUsed,
        cpuPercent: round(((used.user + used.system) / 1000 / elapsedMs) * 100),
        loopDelayMs: round(Math.max(p99 - LOOP_SAMPLE_MS, 0)),
      };
    },
    stop: () => void delay.disable(),
  };
}

function round(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 10) / 10 : 0;
}
