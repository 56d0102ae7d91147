// The words in which the tables of this directory say what a request may hold on platform credit. A table names every
// field at every depth; what it does not name is refused, because nobody knows what it costs. `null` counts as absent.
import { isAbsent, isObject, type Faults, type Loose } from '../codecs/read-fields.ts';
import type { MediaTokens } from './media-tokens.ts';

/** What a body was found to hold. */
export interface Found {
  readonly faults: Faults;
  readonly media: MediaTokens;
  /** Characters of the body that stand for a picture or a document, which is counted by what it shows. */
  dataLength: number;
  mediaTokens: number;
  likelyMediaTokens: number;
  /** Tokens that the provider adds for what a few words of the body ask for. */
  addedTokens: number;
  /** How long the longest cache entry is to live. */
  cache: 'none' | 'short' | 'hour';
}

export type Rule = (value: unknown, at: string, found: Found) => void;

const UNKNOWN = 'is not taken on platform credit: what it costs is not known';
const REFERENCE = 'is not taken on platform credit: what it stands for is not in the request. Send the content itself';

/** Anything: it is counted by its length. */
export const any: Rule = () => {};

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
    faults.add(at, `is not taken on platform credit: ${why}`);

/** What stands for something that is kept elsewhere. */
export const reference: Rule = (_value, at, { faults }) => faults.add(at, REFERENCE);

export function refuseReference(faults: Faults, at: string): void {
  faults.add(at, REFERENCE);
}

export const object =
  (fields: Readonly<Record<string, Rule>>): Rule =>
  (value, at, found) => {
    if (!isObject(value)) return found.faults.add(at, UNKNOWN);
    walk(value, at, fields, found);
  };

export function walk(value: Loose, at: string, fields: Readonly<Record<string, Rule>>, found: Found): void {
  for (const [name, given] of Object.entries(value)) {
    if (isAbsent(given)) continue;
    const place = at === '' ? name : `${at}.${name}`;
    const rule = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (rule) rule(given, place, found);
    else found.faults.add(place, UNKNOWN);
  }
}

export const list =
  (rule: Rule): Rule =>
  (value, at, found) => {
    if (!Array.isArray(value)) return found.faults.add(at, UNKNOWN);
    for (const [index, item] of (value as readonly unknown[]).entries())
      if (!isAbsent(item)) rule(item, `${at}.${index}`, found);
  };

/** Text, or what the rule says. */
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
    if (rule) rule(value, at, found);
    else found.faults.add(`${at}.${field}`, `${String(type)} is not taken on platform credit`);
  };

/** A rule that is made of itself. */
export const later =
  (rule: () => Rule): Rule =>
  (value, at, found) =>
    rule()(value, at, found);
