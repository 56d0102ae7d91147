// A conversation as another service exported it, in the same shape whichever it was. Exports are read leniently: a field
// of another type counts as absent, because formats change without notice; what that leaves out is counted.
import type { ImportNote, ImportSource } from '../../contract/imports/import-words.ts';
import { isObject, type Loose } from '../../model-providers/codecs/read-fields.ts';

/** A file of a message: in the archive, found by the beginning of its name, or its text in the export itself. */
export interface SourceFile {
  readonly name: string;
  readonly reference?: string;
  readonly text?: string;
}

export type SourcePiece =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'file'; readonly file: SourceFile };

export interface SourceNode {
  readonly id: string;
  readonly parent: string | undefined;
  readonly role: 'user' | 'assistant';
  /** Empty if only the structure needs it: what follows it then follows its parent. */
  readonly pieces: readonly SourcePiece[];
  readonly model?: string | undefined;
  /** In milliseconds. */
  readonly at?: number | undefined;
}

export interface SourceConversation {
  readonly source: ImportSource;
  readonly id: string;
  readonly title: string;
  readonly createdAt?: number | undefined;
  readonly updatedAt?: number | undefined;
  readonly archived: boolean;
  readonly project?: { readonly id: string; readonly name?: string | undefined } | undefined;
  readonly nodes: readonly SourceNode[];
  /** The last message of what was shown. */
  readonly leaf: string | undefined;
  readonly notes: Counts;
}

export interface SourceProject {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
  readonly notes: Counts;
}

export type Counts = Partial<Record<ImportNote, number>>;

export function count(notes: Counts, note: ImportNote, by = 1): void {
  notes[note] = (notes[note] ?? 0) + by;
}

export const record = (value: unknown): Loose => (isObject(value) ? value : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Text that can be stored: PostgreSQL holds neither a zero character nor half a surrogate pair. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : '';
}

export const filled = (value: unknown): string | undefined => text(value) || undefined;

/** Seconds since 1970 or a date as text, in milliseconds. */
export function time(value: unknown): number | undefined {
  const ms = typeof value === 'number' ? value * 1000 : Date.parse(text(value));
  return Number.isFinite(ms) ? Math.round(ms) : undefined;
}

/** A block of code whose fence is longer than any in it. */
export function fence(code: string, language = ''): string {
  const longest = Math.max(2, ...Array.from(code.matchAll(/`{3,}/g), ([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${/^[\w+#-]{1,30}$/.test(language) ? language : ''}\n${code}\n${ticks}`;
}

/** A step on the way to an answer: what a tool was asked, or said. It is shown folded, like a model's thoughts. */
export function step(name: string, content: unknown): SourcePiece[] {
  const said = typeof content === 'string' ? text(content) : text(JSON.stringify(content, null, 2) ?? '');
  return said.trim() === '' ? [] : [{ type: 'reasoning', text: `${name}\n\n${fence(said)}` }];
}

export function say(type: 'text' | 'reasoning', value: unknown): SourcePiece[] {
  const said = text(value);
  return said.trim() === '' ? [] : [{ type, text: said }];
}
