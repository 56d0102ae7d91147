// The words in which the tables of this directory say what becomes of a field. A table has a row a field, or a row a
// kind of thing (a block, an item, a tool); a row has a cell a target. A target that speaks the surface's own protocol
// is passed what the client wrote; for the others the body is translated. A field that no table names is passed on in
// the first case, and refused by its name in the second.

/** Who answers: the provider of the model, or a Models account, which speaks Chat Completions whatever it serves. */
export const TARGETS = ['openai', 'anthropic', 'account'] as const;
export type Target = (typeof TARGETS)[number];

export type Cell =
  | { readonly does: 'passed'; readonly note: string }
  | { readonly does: 'translated'; readonly note: string }
  /** Why the answer means the same without it. */
  | { readonly does: 'left out'; readonly note: string }
  /** The message; values that ask for nothing are left out instead. */
  | { readonly does: 'refused'; readonly note: string; readonly unless?: Unless };

export interface Unless {
  readonly test: (value: unknown) => boolean;
  /** Which values these are, for people. */
  readonly says: string;
}

export interface Row extends Readonly<Record<Target, Cell>> {
  /** What stands inside, one or a list of them. */
  readonly holds?: Section;
}

export type Rows = Readonly<Record<string, Row>>;

export interface Section {
  /** Where it stands, for people. */
  readonly title: string;
  /** Rows are fields, or kinds that one field tells apart: what it is when absent, and what one is called. */
  readonly kinds?: { readonly field: string; readonly absent?: string; readonly noun: string };
  readonly rows: Rows;
}

export const passed = (note = ''): Cell => ({ does: 'passed', note });
export const translated = (note: string): Cell => ({ does: 'translated', note });
export const leftOut = (note: string): Cell => ({ does: 'left out', note });
export const refused = (note: string, unless?: Unless): Cell => ({
  does: 'refused',
  note,
  ...(unless ? { unless } : {}),
});

export const within = <Held extends Section>(row: Row, holds: Held): Row & { readonly holds: Held } => ({
  ...row,
  holds,
});

export const unless = (...values: readonly unknown[]): Unless => ({
  test: (value) => values.includes(value),
  says: values.map((value) => JSON.stringify(value)).join(' or '),
});

export const unlessEmpty: Unless = {
  test: (value) =>
    Array.isArray(value)
      ? value.length === 0
      : typeof value === 'object' && value !== null && Object.keys(value).length === 0,
  says: 'empty',
};

export const NOT_AVAILABLE = 'is not available for this model';
