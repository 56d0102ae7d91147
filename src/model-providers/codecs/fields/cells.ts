// What happens to a field, for each target. A target with the surface's own protocol gets what the client wrote; for the
// others the body is translated. A field that no table names is passed on in the first case and refused in the second.
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

export type Cells = Readonly<Record<Target, Cell>>;

export const passed = (note = ''): Cell => ({ does: 'passed', note });
export const translated = (note: string): Cell => ({ does: 'translated', note });
export const leftOut = (note: string): Cell => ({ does: 'left out', note });
export const refused = (note: string, unless?: Unless): Cell => ({
  does: 'refused',
  note,
  ...(unless ? { unless } : {}),
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

/** What a Models account is sent depends on the model that it serves: `traitsAt` in catalog/model-catalog.ts. */
export const ACCOUNT_EFFORT = translated(
  'reasoning_effort, where the catalogue says that the model takes it on Chat Completions or the account is set to take it; otherwise left out',
);
export const ACCOUNT_LIMIT = translated(
  'max_completion_tokens for a model of the catalogue that takes no other, otherwise max_tokens',
);
