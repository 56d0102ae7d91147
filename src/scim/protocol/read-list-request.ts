// What a request to read asks for: which page, which filter, which attributes.
import { ScimError } from '../scim-error.ts';

export interface ListRequest {
  readonly filter: string | undefined;
  /** From 1. */
  readonly startIndex: number;
  readonly count: number;
  readonly attributes: WantedAttributes;
}

export interface WantedAttributes {
  /** In lower case; undefined for all. */
  readonly only: ReadonlySet<string> | undefined;
  readonly without: ReadonlySet<string>;
}

export const MOST_RESULTS = 200;
const DEFAULT_RESULTS = 100;
const MOST_INDEX = 1_000_000_000;

/** Also of a single resource, whose page is not looked at. */
export function readListRequest(query: URLSearchParams): ListRequest {
  const filter = query.get('filter')?.trim();
  return {
    filter: filter === '' ? undefined : filter,
    startIndex: Math.min(Math.max(readNumber(query, 'startIndex') ?? 1, 1), MOST_INDEX),
    count: Math.min(Math.max(readNumber(query, 'count') ?? DEFAULT_RESULTS, 0), MOST_RESULTS),
    attributes: {
      only: readNames(query, 'attributes'),
      without: readNames(query, 'excludedAttributes') ?? new Set(),
    },
  };
}

export function wants({ only, without }: WantedAttributes, attribute: string): boolean {
  return only === undefined ? !without.has(attribute) : only.has(attribute);
}

const ALWAYS: ReadonlySet<string> = new Set(['schemas', 'id']);

/** A resource with the attributes that were asked for. */
export function pickAttributes(
  resource: Readonly<Record<string, unknown>>,
  wanted: WantedAttributes,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(resource).filter(
      ([name, value]) => value !== undefined && (ALWAYS.has(name) || wants(wanted, name.toLowerCase())),
    ),
  );
}

function readNumber(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name);
  if (given === null || given === '') return undefined;
  if (!/^-?\d{1,9}$/.test(given)) throw new ScimError('invalidValue', `${name} must be a whole number.`);
  return Number(given);
}

/** A part of an attribute, such as `name.givenName`, brings the whole of it. */
function readNames(query: URLSearchParams, name: string): ReadonlySet<string> | undefined {
  const given = query.get(name);
  if (given === null || given.trim() === '') return undefined;
  const names = given
    .toLowerCase()
    .split(',')
    .map((each) => each.trim().replace(/^urn:[^,]*:/, ''));
  return new Set(names.map((each) => each.split('.', 1)[0] ?? ''));
}
