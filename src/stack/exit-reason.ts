// Why a part ended, from its output. A logged error is best; in the output of a crash the line that names the error, or
// else the first one. Errors from long before the exit are about something else.
import type { DescribedLine } from './describe-log-line.ts';

const RECENT_MS = 5_000;

export interface ExitReason {
  hear(line: DescribedLine): void;
  reason(): string | undefined;
}

export function trackExitReason(now: () => number = Date.now): ExitReason {
  let last: { text: string; at: number; rank: number } | undefined;
  const recent = (): typeof last => (last !== undefined && now() - last.at <= RECENT_MS ? last : undefined);
  return {
    hear(line) {
      if (line.level !== 'error') return;
      const rank = line.logged ? 2 : /Error\b/.test(line.text) ? 1 : 0;
      const before = recent();
      if (before === undefined || rank > before.rank || (rank === 2 && before.rank === 2))
        last = { text: line.text, at: now(), rank };
    },
    reason: () => recent()?.text,
  };
}
