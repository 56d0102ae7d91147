// The operations of a PATCH (RFC 7644, section 3.5.2), in the forms that identity providers send: `Replace` or `replace`,
// with a path or with an object of attributes, whose names may be paths themselves.
import { ScimError } from '../scim-error.ts';
import { type AttributePath, readPath } from './attribute-path.ts';

export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: AttributePath;
  /** Undefined if absent. */
  readonly value: unknown;
}

/** More would not be of one change. */
const MOST_OPERATIONS = 5_000;

export type Fields = Readonly<Record<string, unknown>>;

/** One for each attribute. Those of other schemas are left out. */
export function readPatch(body: unknown): PatchOperation[] {
  const operations = fieldOf(asFields(body), 'operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimError('invalidSyntax', 'Operations must be a list with at least one operation.');
  if (operations.length > MOST_OPERATIONS)
    throw new ScimError('invalidSyntax', `More than ${MOST_OPERATIONS} operations.`);
  return operations.flatMap((operation) => readOperation(asFields(operation)));
}

function readOperation(operation: Fields): PatchOperation[] {
  const op = readOp(fieldOf(operation, 'op'));
  const [path, value] = [fieldOf(operation, 'path'), fieldOf(operation, 'value')];
  if (op !== 'remove' && value === undefined) throw new ScimError('invalidValue', `${op} needs a value.`);
  if (path === undefined || path === null || path === '') {
    if (op === 'remove') throw new ScimError('noTarget', 'remove needs a path.');
    return readAttributes(asFields(value), op);
  }
  if (typeof path !== 'string') throw new ScimError('invalidPath', 'path must be a string.');
  const attribute = readPath(path);
  return attribute ? [{ op, path: attribute, value }] : [];
}

/** The attributes of an object, each as an operation: also of a whole resource. */
export function readAttributes(attributes: Fields, op: 'add' | 'replace'): PatchOperation[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const path = readPath(name);
    return path && value !== undefined ? [{ op, path, value }] : [];
  });
}

function readOp(op: unknown): PatchOperation['op'] {
  const name = typeof op === 'string' ? op.toLowerCase() : '';
  if (name === 'add' || name === 'replace' || name === 'remove') return name;
  throw new ScimError('invalidSyntax', 'op must be add, replace or remove.');
}

export function asFields(value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new ScimError('invalidSyntax', 'An object with attributes is expected here.');
}

/** By its name in lower case. */
export function fieldOf(fields: Fields, name: string): unknown {
  return Object.entries(fields).find(([key]) => key.toLowerCase() === name)?.[1];
}
