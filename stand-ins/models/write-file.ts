// A demo model that is asked for a file writes one, so that a newcomer sees an agent edit. The file is on the user's
// machine: its name begins with `demo-`, and it lies in the directory in which the agent works, so that nothing of the
// user's is replaced.
import type { DemoRequest, OfferedTool } from './demo-request.ts';
import { fillObject } from './fill-schema.ts';

/** A file that is spoken of as known is the user's. */
const ASKS =
  /\b(?:write|create|make|add|save)\s+(?:me\s+)?(?:an?|another|one)\b[^.?!\n]{0,40}?\bfile\b(?:\s+(?:named|called))?(?:\s+["'`]?([\w-]{1,40}\.\w{1,8})\b)?/i;
/** The tools of agents that make a file of a path and a text. */
const WRITERS: ReadonlySet<string> = new Set(['Write', 'write', 'write_file', 'create_file']);
const PATH = /^(?:file_?)?(?:path|name)$/i;
const TEXT = /^(?:content|contents|file_text|text)$/i;
/** How agents name the directory in what they tell a model. */
const DIRECTORY =
  /\b(?:working directory|working in the (?:directory|following directories)|cwd)\b[^\w/<]{1,8}(\/[^\s<>"'`]*)/i;

const NAME = 'demo-note.md';
export const TEXT_LINES = ['# A demo note', '', 'Written by a demo model: no real model was called.'];

/** The name of the file that was asked for. */
export function findWantedFile(said: string): string | undefined {
  const [asked, name] = ASKS.exec(said) ?? [];
  if (asked === undefined) return undefined;
  return name === undefined ? NAME : name.startsWith('demo-') ? name : `demo-${name}`;
}

export function findWriter(tools: readonly OfferedTool[]): OfferedTool | undefined {
  return tools.find(
    ({ name, namespace, freeform }) => WRITERS.has(name) && namespace === undefined && freeform === undefined,
  );
}

/** Some agents take only a whole path. */
export function writeArguments(
  { schema }: OfferedTool,
  name: string,
  { system, items }: Pick<DemoRequest, 'system' | 'items'>,
): Readonly<Record<string, unknown>> {
  const told = [system, ...items.flatMap((item) => (item.kind === 'user' ? [item.text, item.reminders ?? ''] : []))];
  const directory = told.map((text) => DIRECTORY.exec(text)?.[1]).find((found) => found !== undefined);
  const path = directory === undefined ? name : `${directory.replace(/\/+$/, '')}/${name}`;
  const fields = Object.keys((schema['properties'] as Record<string, unknown> | undefined) ?? {});
  const given = fields.flatMap((field): [string, string][] =>
    PATH.test(field) ? [[field, path]] : TEXT.test(field) ? [[field, `${TEXT_LINES.join('\n')}\n`]] : [],
  );
  return { ...fillObject(schema, name), ...Object.fromEntries(given) };
}
