// Where the provider must keep nothing of a request: on platform credit, whose key all callers share, and under Require
// ZDR on any credential. What that means for each field is a column of the field tables.
import { FIELD_TABLE } from './fields/field-table.ts';
import type { Kept } from './fields/cells.ts';
import type { Rows } from './fields/rows.ts';
import type { Protocol } from './neutral.ts';
import { createFaults, isAbsent, type Loose } from './read-fields.ts';

const keptIn = (rows: Rows): readonly (readonly [string, Kept])[] =>
  Object.entries(rows).flatMap(([name, { kept }]) => (kept ? [[name, kept] as const] : []));

const KEPT: Readonly<Record<Protocol, ReturnType<typeof keptIn>>> = {
  chat: keptIn(FIELD_TABLE.chat.request.rows),
  responses: keptIn(FIELD_TABLE.responses.request.rows),
  messages: keptIn(FIELD_TABLE.messages.request.rows),
};

export interface UnkeptBody {
  readonly body: Loose;
  readonly leftOut: readonly string[];
}

/** A body that asks for nothing of the kind is returned as it is. */
export function keepNothing(protocol: Protocol, body: Loose): UnkeptBody {
  const leftOut: string[] = [];
  let changed: Record<string, unknown> | undefined;
  for (const [name, kept] of KEPT[protocol]) {
    const given = body[name];
    if (kept.does === 'sent as') {
      if (given !== kept.value) (changed ??= { ...body })[name] = kept.value;
    } else if (kept.does === 'left out' && !isAbsent(given) && !kept.unless?.test(given)) {
      delete (changed ??= { ...body })[name];
      leftOut.push(name);
    }
  }
  return { body: changed ?? body, leftOut };
}

/** Throws `invalid_request` with every field without which the request would mean something else. */
export function refuseKept(protocol: Protocol, body: Loose): void {
  const faults = createFaults();
  for (const [name, kept] of KEPT[protocol])
    if (kept.does === 'refused' && !isAbsent(body[name]) && !kept.unless?.test(body[name]))
      faults.add(name, `is not accepted under Require ZDR: ${kept.note}`);
  faults.throwAny();
}
