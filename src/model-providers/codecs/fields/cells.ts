// The vocabulary in which the tables of this directory state what happens to a field. A table has one row per field, or
// per kind of thing (a block, an item, a tool), and each row one cell per target. A target with the surface's own
// protocol gets what the client wrote; for the others the body is translated. A field that no table names is passed on
// in the first case and refused in the second.
import type { Protocol } from '../neutral.ts';

/** Who answers: the model's provider, or a Models account that uses Chat Completions, whatever it serves. */
export const TARGETS = ['openai', 'anthropic', 'account'] as const;
export type Target = (typeof TARGETS)[number];

/** The target for which a surface's bodies are translated, where none is named. */
export const TRANSLATED_FOR = {
  chat: 'anthropic',
  messages: 'openai',
  responses: 'anthropic',
} as const satisfies Record<Protocol, Target>;

export type Cell =
  | { readonly does: 'passed'; readonly note: string }
  | { readonly does: 'translated'; readonly note: string }
  /** Why the answer means the same without it. */
  | { readonly does: 'left out'; readonly note: string }
  /** The message; values that request nothing are left out instead. */
  | { readonly does: 'refused'; readonly note: string; readonly unless?: Unless };

export interface Unless {
  readonly test: (value: unknown) => boolean;
  /** These values, in words. */
  readonly says: string;
}

/** What happens to a field by which a provider would keep something, where it must keep nothing; and why. */
export type Kept =
  | { readonly does: 'left out'; readonly note: string; readonly unless?: Unless }
  /** Also if it is absent. */
  | { readonly does: 'sent as'; readonly note: string; readonly value: unknown }
  | { readonly does: 'refused'; readonly note: string; readonly unless?: Unless };

export interface Row extends Readonly<Record<Target, Cell>> {
  /** What it contains, one or a list of them. */
  readonly holds?: Section;
  readonly kept?: Kept;
}

export type Rows = Readonly<Record<string, Row>>;

export interface Section {
  /** Its location, in words. */
  readonly title: string;
  /** If rows are kinds rather than fields: the field that distinguishes them, its default, and what one is called. */
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

export const keeping = (row: Row, kept: Kept): Row => ({ ...row, kept });

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
