// What this browser remembers about picked models, by organization.
import { createKeyedStore } from '../../../kit/keyed-store.ts';
import type { ModelMemory } from './choose-model.ts';

const picks = createKeyedStore<string | undefined>({
  empty: undefined,
  persist: { area: 'local', prefix: 'chat-model:', pack: (model) => model, unpack: (stored) => stored },
});

/** The last pick. */
export const { get: rememberedModel, set: rememberModel } = picks;

const memories = createKeyedStore<ModelMemory>({
  empty: { pinned: [], recent: [] },
  persist: {
    area: 'local',
    prefix: 'chat-models:',
    pack: (memory) => JSON.stringify(memory),
    unpack: (stored) => {
      const { pinned, recent } = JSON.parse(stored) as Record<string, unknown>;
      return { pinned: namesIn(pinned), recent: namesIn(recent) };
    },
  },
});

export const { use: useModelMemory, set: setModelMemory } = memories;

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
