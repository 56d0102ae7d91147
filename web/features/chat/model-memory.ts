// What this browser remembers about picked models, by organization. Storage may be off or hold anything.
import type { ModelMemory } from './choose-model.ts';

const PICKED = 'chat-model';
const MEMORY = 'chat-models';
const EMPTY: ModelMemory = { pinned: [], recent: [] };

/** The last pick. */
export function rememberedModel(organization: string): string | undefined {
  return read(`${PICKED}:${organization}`);
}

export function rememberModel(organization: string, model: string): void {
  write(`${PICKED}:${organization}`, model);
}

export function readModelMemory(organization: string): ModelMemory {
  try {
    const { pinned, recent } = JSON.parse(read(`${MEMORY}:${organization}`) ?? '{}') as Record<string, unknown>;
    return { pinned: namesIn(pinned), recent: namesIn(recent) };
  } catch {
    return EMPTY;
  }
}

export function writeModelMemory(organization: string, memory: ModelMemory): void {
  write(`${MEMORY}:${organization}`, JSON.stringify(memory));
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

function read(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // What was picked then lasts as long as the page.
  }
}
