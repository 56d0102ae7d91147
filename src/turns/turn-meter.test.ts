import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadModels } from '../catalog/load-models.ts';
import { declaredAt, findModel } from '../catalog/model-catalog.ts';
import { withThought } from './estimate-cost.ts';
import { type CalledTurn, createLiveHolds } from './turn-meter.ts';

const NOTHING = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };

function turn(reasons: boolean, thinkingTokensPerSecond?: number): CalledTurn {
  const model = findModel(loadModels(undefined), 'openai/gpt-5-mini') ?? expect.unreachable();
  return {
    holdId: `hold-${reasons}`,
    route: {
      model: { ...model, thinkingTokensPerSecond },
      provider: 'openai',
      upstreamModel: 'gpt-5-mini',
      declared: declaredAt(model, 'openai'),
      credential: { kind: 'platform', key: 'sk' },
    },
    prepared: {
      protocol: 'chat',
      passThrough: true,
      upstream: { url: '', headers: {}, body: '' },
      reasons,
      bound: { inputTokens: 200, likelyInputTokens: 100, outputTokens: 1_000, cacheWrites: 'none' },
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('what was thought is the time that it took, at the speed of the model, up to the limit of the output', () => {
  expect(withThought(NOTHING, turn(true), 5).outputTokens).toBe(300);
  expect(withThought(NOTHING, turn(true, 20), 5).outputTokens).toBe(100);
  expect(withThought(NOTHING, turn(true), 600).outputTokens).toBe(1_000);
  // What was streamed counts, if it is more.
  expect(withThought({ ...NOTHING, outputTokens: 400 }, turn(true), 5).outputTokens).toBe(400);
  expect(withThought(NOTHING, turn(false), 5)).toEqual(NOTHING);
  // Nothing is held if an own key pays.
  const { bound: _, ...unbounded } = turn(true).prepared;
  expect(withThought(NOTHING, { ...turn(true), prepared: unbounded }, 5)).toEqual(NOTHING);
});

it('a model that thinks is noted as it does, one that does not only with what it streams', async () => {
  const holds = createLiveHolds();
  let streamed = 0;
  holds.add(turn(true), () => 0);
  holds.add(turn(false), () => streamed);
  expect(holds.takeChanged()).toEqual([]);
  await vi.advanceTimersByTimeAsync(5_000);
  const [first, ...others] = holds.takeChanged();
  expect([first, others]).toMatchObject([{ holdId: 'hold-true', outputTokens: 300 }, []]);
  streamed = 30;
  await vi.advanceTimersByTimeAsync(5_000);
  const later = holds.takeChanged();
  expect(later).toMatchObject([{ outputTokens: 600 }, { holdId: 'hold-false', outputTokens: 10 }]);
  expect(later[0]?.costMicros).toBeGreaterThan(first?.costMicros ?? Number.POSITIVE_INFINITY);
  holds.forget('hold-true');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(holds.takeChanged()).toEqual([]);
});
