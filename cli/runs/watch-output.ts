// What a command of a followed run prints: polled while it runs, each line once. What is not polled any longer when the
// command ends is in its last event. Output that comes faster than it is polled is shown by its end.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../account.ts';
import { openRuns, type RunEvent } from './runs-api.ts';

export interface OutputWatch {
  event(event: RunEvent): void;
  readonly done: Promise<void>;
}

/** Some output of a command, and whether there was more before it that is not shown. */
export type TellOutput = (text: string, isCut: boolean) => void;

const LOOK_EVERY_MS = 1_000;
/** A line without an end is shown once it is this long. */
const LONGEST_LINE = 1_000;

export function watchOutput(account: Account, id: string, tell: TellOutput, signal: AbortSignal): OutputWatch {
  let seen = 0;
  let using = new AbortController();
  let done = Promise.resolve();

  async function watch(event: number, stop: AbortSignal): Promise<void> {
    const runs = await openRuns(account);
    for (; ; await sleep(LOOK_EVERY_MS, undefined, { signal: stop })) {
      const { output } = await runs.output({ id }, { signal: stop }).catch(() => ({ output: null }));
      stop.throwIfAborted();
      if (output?.event !== event) continue;
      const start = Math.max(0, seen - output.from);
      const text = output.text.slice(start);
      const whole = text.length > LONGEST_LINE ? text.length : text.lastIndexOf('\n') + 1;
      if (whole === 0) continue;
      tell(text.slice(0, whole), output.from > seen);
      seen = output.from + start + whole;
    }
  }

  /** Of a command that nothing was shown of, its event is enough. */
  function tellRest(recorded: string): void {
    if (seen === 0) return;
    const { text, missed } = restOf(recorded, seen);
    if (text !== '') tell(text, missed);
  }

  return {
    get done() {
      return done;
    },
    event({ id: event, data, ...rest }) {
      const { progress = {} } = (data ?? {}) as { readonly progress?: Readonly<Record<string, unknown>> };
      const detail = ('detail' in rest ? (rest.detail ?? {}) : {}) as Readonly<Record<string, unknown>>;
      using.abort();
      if (progress['type'] === 'tool.ended' && typeof detail['output'] === 'string') tellRest(detail['output']);
      seen = 0;
      if (progress['type'] !== 'tool.started' || progress['tool'] !== 'bash') return;
      using = new AbortController();
      // It only ends by being stopped.
      done = watch(event, AbortSignal.any([signal, using.signal])).catch(() => {});
    },
  };
}

const CUT = /\n\[… (\d+) characters cut …\]\n/;

/** What follows the characters that were seen, of a recorded output whose middle may be missing. */
export function restOf(recorded: string, seen: number): { readonly text: string; readonly missed: boolean } {
  const cut = CUT.exec(recorded);
  if (!cut) return { text: recorded.slice(seen), missed: false };
  const end = recorded.slice(cut.index + cut[0].length);
  const endsAt = cut.index + Number(cut[1]) + end.length;
  const left = Math.max(0, endsAt - seen);
  return { text: left === 0 ? '' : end.slice(-left), missed: left > end.length };
}
