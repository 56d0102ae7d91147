// A condition of a filter as it is typed: `path=value`, `path=["one","other"]` for several, `path?` if it must be there,
// `path!` if it must not.
import type { TriggerCondition } from '../../src/contract/standing/triggers.ts';
import { usage } from '../failure.ts';

export function readCondition(typed: string): TriggerCondition {
  const [, path = '', sign, text = ''] = /^([^=?!]+)(?:([?!])|=(.*))$/s.exec(typed) ?? [];
  if (path === '')
    throw usage(
      `${typed} is no condition`,
      'Give path=value, path=["one","other"], path? or path!, such as action=opened.',
    );
  if (sign !== undefined) return { path, exists: sign === '?' };
  const value = readValue(text);
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
