// Reads the fields of an unvalidated body. A fault is recorded under the field's path and reading continues, so that
// one response names every fault. `null` counts as absent, because the official clients send it that way.
import { AppError } from '../../base/errors.ts';

export type Loose = { readonly [key: string]: unknown };

const MAX_FAULTS = 20;

export interface Faults {
  add(field: string, why: string): void;
  /** A field that is not known. */
  addUnknown(field: string): void;
  throwAny(): void;
}

export function createFaults(): Faults {
  const found: Record<string, string> = {};
  let count = 0;
  let unknown = 0;
  function add(field: string, why: string): boolean {
    if (count >= MAX_FAULTS || Object.hasOwn(found, field)) return false;
    found[field] = why;
    count += 1;
    return true;
  }
  return {
    add: (field, why) => void add(field, why),
    addUnknown(field) {
      if (add(field, 'is not a field that this model accepts')) unknown += 1;
    },
    throwAny() {
      if (count > 0) throw new AppError(unknown === count ? 'unknown_parameter' : 'invalid_request', found);
    },
  };
}

export function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function getBody(body: unknown): Loose {
  if (!isObject(body)) throw new AppError('invalid_request', { body: 'must be a JSON object' });
  return body;
}

export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** For a provider's value: anything but text counts as empty. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function readText(value: unknown, path: string, faults: Faults): string {
  if (typeof value === 'string') return value;
  faults.add(path, 'must be text');
  return '';
}

export function readName(value: unknown, path: string, faults: Faults): string {
  if (typeof value === 'string' && value !== '') return value;
  faults.add(path, 'must be non-empty text');
  return '';
}

export function readOptionalText(value: unknown, path: string, faults: Faults): string | undefined {
  return isAbsent(value) ? undefined : readText(value, path, faults);
}

export function readFlag(value: unknown, path: string, faults: Faults): boolean | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'boolean') return value;
  faults.add(path, 'must be true or false');
  return undefined;
}

export function readNumber(
  value: unknown,
  path: string,
  faults: Faults,
  range: { min: number; max: number; whole?: true },
): number | undefined {
  if (isAbsent(value)) return undefined;
  if (
    typeof value === 'number' &&
    value >= range.min &&
    value <= range.max &&
    (!range.whole || Number.isInteger(value))
  )
    return value;
  const bounds =
    range.max === Number.MAX_SAFE_INTEGER ? `of at least ${range.min}` : `from ${range.min} to ${range.max}`;
  faults.add(path, `must be a ${range.whole ? 'whole ' : ''}number ${bounds}`);
  return undefined;
}

export const TOKEN_COUNT = { min: 1, max: Number.MAX_SAFE_INTEGER, whole: true } as const;

export function readList(value: unknown, path: string, faults: Faults): readonly unknown[] {
  if (isAbsent(value)) return [];
  if (Array.isArray(value)) return value;
  faults.add(path, 'must be a list');
  return [];
}

/** The objects of a list, each with its path; an item that is not an object is a fault. */
export function readObjects(value: unknown, path: string, faults: Faults): { item: Loose; at: string }[] {
  const found: { item: Loose; at: string }[] = [];
  for (const [index, item] of readList(value, path, faults).entries()) {
    const at = `${path}.${index}`;
    if (isObject(item)) found.push({ item, at });
    else faults.add(at, 'must be an object');
  }
  return found;
}

export function readObject(value: unknown, path: string, faults: Faults): Loose {
  if (isObject(value)) return value;
  faults.add(path, 'must be an object');
  return {};
}

export function readChoice<Choice extends string>(
  value: unknown,
  path: string,
  faults: Faults,
  choices: readonly Choice[],
): Choice | undefined {
  if (isAbsent(value)) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) faults.add(path, `must be one of ${choices.join(', ')}`);
  return found;
}
