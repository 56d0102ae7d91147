// A condition of a trigger's filter as people write it: `path=value`, `path=["one","other"]` for several, `path?` if it
// must be there, `path!` if it must not.
import type { TriggerCondition } from './triggers.ts';

/** Undefined if it is none. */
export function parseCondition(text: string): TriggerCondition | undefined {
  const [, path = '', sign, given = ''] = /^([^=?!]+)(?:([?!])|=(.*))$/s.exec(text.trim()) ?? [];
  if (path === '') return undefined;
  if (sign !== undefined) return { path, exists: sign === '?' };
  const value = readValue(given);
  if (Array.isArray(value)) return { path, in: value as NonNullable<TriggerCondition['in']> };
  return { path, equals: value as NonNullable<TriggerCondition['equals']> };
}

/** JSON, or else the text itself. */
function readValue(text: string): unknown {
  if (!/^(?:true|false|null|-?\d|\[|")/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function describeCondition({ path, equals, in: among, exists }: TriggerCondition): string {
  if (exists !== undefined) return `${path}${exists ? '?' : '!'}`;
  return `${path}=${JSON.stringify(among ?? equals)}`;
}
