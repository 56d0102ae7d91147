// What a followed run is doing now, and what it took so far, on one line.
import type { RunEvent } from './runs-api.ts';

export interface RunSummary {
  take(event: RunEvent): void;
  text(): string;
}

type Facts = Readonly<Record<string, unknown>>;

export function sumUpRun(): RunSummary {
  let now = '';
  let attempt = 0;
  let calls = 0;
  let micros = 0;
  return {
    take(event) {
      const { progress } = (event.data ?? {}) as { readonly progress?: Facts };
      ({ attempt } = event);
      now = describeNow(event.at, progress ?? {});
      if (progress?.['type'] !== 'model') return;
      calls++;
      micros += Number(progress['costMicros']) || 0;
    },
    text: () =>
      [
        `running, attempt ${attempt}`,
        ...(now === '' ? [] : [now]),
        ...(calls === 0
          ? []
          : [`${calls} model ${calls === 1 ? 'call' : 'calls'}, $${(micros / 1_000_000).toFixed(4)}`]),
      ].join(' · '),
  };
}

/** Times as the events above the line show them. */
function describeNow(at: string, { type, tool }: Facts): string {
  const since = `since ${at.slice(11, 19)}Z`;
  if (type === 'model.started') return `waiting for the model ${since}`;
  return type === 'tool.started' && typeof tool === 'string' ? `using ${tool} ${since}` : '';
}
