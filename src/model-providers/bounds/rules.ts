// What a request may contain on platform credit: a column of the field tables. Fields that they do not name are refused,
// because their cost is not known. `null` counts as absent.
import { isAbsent, isObject, type Faults } from '../codecs/read-fields.ts';
import type { MediaTokens } from './media-tokens.ts';

/** What was found in a body. */
export interface Found {
  readonly faults: Faults;
  readonly media: MediaTokens;
  /** Characters of the body that encode an image or a document, which is counted by what it shows. */
  dataLength: number;
  mediaTokens: number;
  likelyMediaTokens: number;
  /** Tokens that the provider adds for features the body turns on. */
  addedTokens: number;
  /** The longest cache lifetime requested. */
  cache: 'none' | 'short' | 'hour';
}

export type Rule = (value: unknown, at: string, found: Found) => void;

const UNKNOWN = 'is not accepted on platform credit: its cost is not known';
const REFERENCE =
  'is not accepted on platform credit: it refers to content outside the request. Send the content itself';

/** Anything; counted by its length. */
export const any: Rule = () => {};

/** Not at all; a kind of thing is refused by its name. */
export const unpriced: Rule = (_value, at, { faults }) => faults.add(at, UNKNOWN);

export const plain: Rule = (value, at, { faults }) => {
  if (typeof value === 'object') faults.add(at, UNKNOWN);
};

export const only =
  (...values: readonly unknown[]): Rule =>
  (value, at, { faults }) => {
    if (!values.includes(value)) faults.add(at, `takes only ${values.map(String).join(' or ')} on platform credit`);
  };

export const never =
  (why: string): Rule =>
  (_value, at, { faults }) =>
    faults.add(at, `is not accepted on platform credit: ${why}`);

/** A reference to something stored elsewhere. */
export const reference: Rule = (_value, at, { faults }) => faults.add(at, REFERENCE);

export function refuseReference(faults: Faults, at: string): void {
  faults.add(at, REFERENCE);
}

export const object =
  (fields: Readonly<Record<string, Rule>>): Rule =>
  (value, at, found) => {
    if (!isObject(value)) return found.faults.add(at, UNKNOWN);
    for (const [name, given] of Object.entries(value)) {
      if (isAbsent(given)) continue;
      const rule = Object.hasOwn(fields, name) ? fields[name] : undefined;
      (rule ?? unpriced)(given, at === '' ? name : `${at}.${name}`, found);
    }
  };

export const list =
  (rule: Rule): Rule =>
  (value, at, found) => {
    if (!Array.isArray(value)) return found.faults.add(at, UNKNOWN);
    for (const [index, item] of (value as readonly unknown[]).entries())
      if (!isAbsent(item)) rule(item, `${at}.${index}`, found);
  };

/** Text, or what the rule allows. */
export const textOr =
  (rule: Rule): Rule =>
  (value, at, found) => {
    if (typeof value !== 'string') rule(value, at, found);
  };

/** An object whose fields depend on one of them. */
export const byField =
  (field: string, rows: Readonly<Record<string, Rule>>, absent?: string): Rule =>
  (value, at, found) => {
    if (!isObject(value)) return found.faults.add(at, UNKNOWN);
    const type = value[field] ?? absent;
    const rule = typeof type === 'string' && Object.hasOwn(rows, type) ? rows[type] : undefined;
    if (rule && rule !== unpriced) rule(value, at, found);
    else found.faults.add(`${at}.${field}`, `${String(type)} is not accepted on platform credit`);
  };
