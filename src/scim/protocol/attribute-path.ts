// The name of an attribute: `userName`, `name.givenName`, `emails[type eq "work"].value`, each with or without the URN of
// its schema before it. Names are compared without case.
import { ScimError, type ScimType } from '../scim-error.ts';
import { scanExpression, type Token } from './scan-expression.ts';
import { SCHEMA } from './schema-names.ts';

export interface AttributePath {
  /** In lower case. */
  readonly attribute: string;
  readonly sub?: string;
  /** Which values of an attribute with several. */
  readonly where?: Equals;
}

export interface Equals {
  readonly attribute: string;
  readonly value: string | boolean;
}

const OWN_SCHEMAS: readonly string[] = [SCHEMA.user, SCHEMA.group].map((urn) => `${urn.toLowerCase()}:`);

/** Undefined for an attribute of another schema, such as the enterprise extension, of which nothing is kept. */
export function readPath(text: string): AttributePath | undefined {
  const tokens = scanExpression(text, 'invalidPath');
  const { path, next } = takePath(tokens, 0, 'invalidPath');
  if (next !== tokens.length) throw new ScimError('invalidPath', `The path ${JSON.stringify(text)} cannot be read.`);
  return path;
}

/** Reads a path from `at` on, and says where what follows it begins. */
export function takePath(
  tokens: readonly Token[],
  at: number,
  fault: ScimType,
): { path: AttributePath | undefined; next: number } {
  const first = tokens[at];
  if (first?.kind !== 'word') throw new ScimError(fault, 'The name of an attribute is missing.');
  const name = nameOf(first.text);
  const opened = tokens[at + 1];
  const filter = opened?.kind === 'mark' && opened.text === '[' ? takeFilter(tokens, at + 2, fault) : undefined;
  let next = filter ? filter.next : at + 1;
  let sub: string | undefined;
  const after = tokens[next];
  if (filter && after?.kind === 'word' && after.text.startsWith('.')) {
    sub = after.text.slice(1).toLowerCase();
    next++;
  }
  if (name === undefined) return { path: undefined, next };
  const [attribute = '', inner, ...rest] = name.split('.');
  if (attribute === '' || inner === '' || sub === '' || rest.length > 0 || (inner !== undefined && filter))
    throw new ScimError(fault, `The name ${JSON.stringify(first.text.slice(0, 100))} cannot be read.`);
  sub ??= inner;
  return {
    path: { attribute, ...(sub === undefined ? {} : { sub }), ...(filter ? { where: filter.where } : {}) },
    next,
  };
}

/** Without the URN of our schemas; undefined for a name of another schema. */
function nameOf(word: string): string | undefined {
  const name = word.toLowerCase();
  const own = OWN_SCHEMAS.find((urn) => name.startsWith(urn));
  if (own !== undefined) return name.slice(own.length);
  return name.includes(':') ? undefined : name;
}

function takeFilter(tokens: readonly Token[], at: number, fault: ScimType): { where: Equals; next: number } {
  const [name, operator, value, close] = tokens.slice(at, at + 4);
  if (
    name?.kind !== 'word' ||
    operator?.kind !== 'word' ||
    operator.text.toLowerCase() !== 'eq' ||
    value?.kind !== 'value' ||
    (typeof value.value !== 'string' && typeof value.value !== 'boolean') ||
    close?.kind !== 'mark' ||
    close.text !== ']'
  )
    throw new ScimError(fault, 'In brackets, only one comparison with eq is understood, such as [type eq "work"].');
  return { where: { attribute: name.text.toLowerCase(), value: value.value }, next: at + 4 };
}
