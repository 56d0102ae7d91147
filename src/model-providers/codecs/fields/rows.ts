// The tables of this directory are all that is known about a field of `/v1`. A table has one row per field, or per kind
// of thing (a block, an item, a tool). A row says in its columns what happens to the field for each target, whether it
// may be sent on platform credit, and how the OpenAPI document prints it.
import { z } from 'zod';
import { byField, list, object, type Rule, textOr } from '../../bounds/rules.ts';
import type { Cells, Kept } from './cells.ts';

export interface Row extends Cells {
  readonly credit: Rule;
  /** Printed objects are open, so most of what few clients send is `unprinted`. */
  readonly schema: z.ZodType | typeof unprinted;
  /** What it contains, one or a list of them. */
  readonly holds?: Section;
  readonly kept?: Kept;
}

export type Rows = Readonly<Record<string, Row>>;

export interface Section {
  /** Its location, in words. */
  readonly title: string;
  /** If rows are kinds rather than fields: what distinguishes them. */
  readonly kinds?: Kinds;
  readonly rows: Rows;
  /** Fields that may be sent on platform credit although no translation takes them. */
  readonly also?: Readonly<Record<string, Rule>>;
}

interface Kinds {
  readonly field: string;
  /** The kind of a thing without the field. */
  readonly absent?: string;
  /** What one is called. */
  readonly noun: string;
  /** How kinds that are not printed are described, if at all. */
  readonly others?: string;
}

export const unprinted = null;

/** How a field contains what it holds. */
interface Shape {
  readonly credit: (rule: Rule) => Rule;
  readonly schema: (schema: z.ZodType) => z.ZodType;
}

export const one: Shape = { credit: (rule) => rule, schema: (schema) => schema };
export const many: Shape = { credit: list, schema: (schema) => z.array(schema) };
export const textOrMany: Shape = {
  credit: (rule) => textOr(list(rule)),
  schema: (schema) => z.union([z.string(), z.array(schema)]),
};

export const optional = (schema: z.ZodType): z.ZodType => schema.optional();
export const nullish = (schema: z.ZodType): z.ZodType => schema.nullish();

export const field = (cells: Cells, credit: Rule, schema: Row['schema']): Row => ({ ...cells, credit, schema });

/** A row whose columns are those of what it holds. */
export const within = <Held extends Section>(
  cells: Cells,
  holds: Held,
  shape: Shape = one,
  print: typeof optional | typeof unprinted = one.schema,
): Row & { readonly holds: Held } => ({
  ...cells,
  holds,
  credit: shape.credit(creditOf(holds)),
  schema: print && print(shape.schema(printOf(holds))),
});

export const keeping = (row: Row, kept: Kept): Row => ({ ...row, kept });

/** The same row under each of these names. */
export const alike = <Name extends string>(row: Row, ...names: readonly Name[]): Readonly<Record<Name, Row>> =>
  Object.fromEntries(names.map((name) => [name, row])) as Record<Name, Row>;

type Of<All extends Rows> = Omit<Section, 'rows'> & { readonly rows: All };

export const section = <All extends Rows>(title: string, rows: All, also: Section['also'] = {}): Of<All> => ({
  title,
  rows,
  also,
});

/** Kinds are told apart by this field; a thing without it is of the kind `absent`. */
export const by = (field: string, noun: string, more: Omit<Kinds, 'field' | 'noun'> = {}): Kinds => ({
  field,
  noun,
  ...more,
});

export const kindsOf = <All extends Rows>(title: string, kinds: Kinds, rows: All): Of<All> => ({ title, kinds, rows });

/** All kinds as one object, where they are priced or printed as such; of fields with the same name the first applies. */
export function flatten({ title, kinds, rows }: Section, schema: z.ZodType): Section {
  const merged: Record<string, Row> = {};
  for (const { holds } of Object.values(rows))
    for (const [name, row] of Object.entries(holds?.rows ?? {}))
      merged[name] ??= name === kinds?.field ? { ...row, schema } : row;
  return { title, rows: merged };
}

export function creditOf({ kinds, rows, also }: Section): Rule {
  const rules = { ...also, ...Object.fromEntries(Object.entries(rows).map(([name, { credit }]) => [name, credit])) };
  return kinds ? byField(kinds.field, rules, kinds.absent) : object(rules);
}

export function printOf({ kinds, rows }: Section): z.ZodType {
  const printed = Object.entries(rows).flatMap(([name, { schema }]) => (schema ? [[name, schema] as const] : []));
  if (!kinds) return z.looseObject(Object.fromEntries(printed));
  // Kinds that look the same are printed as one.
  const options = [...Map.groupBy(printed, ([, schema]) => schema)].map(([schema, named]) =>
    (schema as z.ZodObject).extend({ [kinds.field]: z.literal(named.map(([name]) => name)) }),
  );
  if (kinds.others !== undefined)
    return z.union([...options, z.looseObject({ [kinds.field]: z.string() }).describe(kinds.others)]);
  const [first, ...rest] = options;
  return first && rest.length > 0 ? z.discriminatedUnion(kinds.field, [first, ...rest]) : (first ?? z.looseObject({}));
}
