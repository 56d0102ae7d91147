// Checks a body that is to be translated against the table of its surface: anything the table refuses for the target is
// a fault, and so is a field or kind that it does not name. The decoders read the rest.
import { isAbsent, isObject, type Faults, type Loose } from '../read-fields.ts';
import type { Target } from './cells.ts';
import type { Row, Section } from './rows.ts';

export function checkFields(body: Loose, section: Section, target: Target, faults: Faults): void {
  checkObject(body, section, '', { target, faults });
}

interface Check {
  readonly target: Target;
  readonly faults: Faults;
}

function check(value: unknown, section: Section, at: string, how: Check): void {
  if (isObject(value)) return checkObject(value, section, at, how);
  if (!Array.isArray(value)) return;
  for (const [index, item] of (value as readonly unknown[]).entries())
    if (isObject(item)) checkObject(item, section, `${at}.${index}`, how);
}

function checkObject(value: Loose, { kinds, rows }: Section, at: string, how: Check): void {
  if (kinds === undefined) {
    for (const [name, given] of Object.entries(value))
      if (!isAbsent(given)) checkField(given, find(rows, name), at === '' ? name : `${at}.${name}`, how);
    return;
  }
  const kind = value[kinds.field] ?? kinds.absent;
  const place = `${at}.${kinds.field}`;
  const row = typeof kind === 'string' ? find(rows, kind) : undefined;
  if (row === undefined) return how.faults.add(place, `this model takes no ${kinds.noun} of type ${String(kind)}`);
  const cell = row[how.target];
  if (cell.does === 'refused') how.faults.add(place, cell.note);
  else if (row.holds) checkObject(value, row.holds, at, how);
}

function checkField(value: unknown, row: Row | undefined, at: string, how: Check): void {
  if (row === undefined) return how.faults.addUnknown(at);
  const cell = row[how.target];
  if (cell.does !== 'refused') {
    if (row.holds) check(value, row.holds, at, how);
  } else if (!cell.unless?.test(value)) how.faults.add(at, cell.note);
}

function find(rows: Section['rows'], name: string): Row | undefined {
  return Object.hasOwn(rows, name) ? rows[name] : undefined;
}
