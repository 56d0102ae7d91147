// Counts the pages of a PDF by its page tree. All versions of an object that was saved more than once are considered:
// which one applies depends on a table at the end of the file, which cannot be trusted.
import type { PdfStream } from './read-pdf-streams.ts';

/** By number: every version of an object. */
type Objects = ReadonlyMap<string, readonly string[]>;

const OBJECT_BYTES = 1024 * 1024;

export function findObjects(file: string, streams: readonly PdfStream[]): Objects {
  const objects = new Map<string, string[]>();
  const add = (id: string, body: string): void => void objects.set(id, [...(objects.get(id) ?? []), body]);
  const heads = [...file.matchAll(/(\d{1,10})\s{1,8}\d{1,10}\s{1,8}obj\b/g)];
  for (const [at, { index, 1: id = '' }] of heads.entries())
    add(id, file.slice(index, Math.min(heads[at + 1]?.index ?? file.length, index + OBJECT_BYTES)));
  for (const { text, isStructure, dictionary } of streams) {
    if (!isStructure) continue;
    // Numbers and offsets first, then the objects.
    const first = Number(/\/First\s+(\d{1,9})/.exec(dictionary)?.[1] ?? 0);
    const pairs = [...text.slice(0, first).matchAll(/(\d+)\s+(\d+)/g)].map(([, id = '', place]) => ({
      id,
      place: Number(place),
    }));
    for (const [at, { id, place }] of pairs.entries())
      add(id, text.slice(first + place, Math.max(first + place, first + (pairs[at + 1]?.place ?? text.length))));
  }
  return objects;
}

/** A name may contain escapes: `/P#61ge` is `/Page`. */
export function unescapeNames(text: string): string {
  return text.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Undefined if there is no tree, part of it cannot be read, or a page occurs in it more than once. */
export function countPages(objects: Objects, structure: string): number | undefined {
  const roots = new Set([...structure.matchAll(/\/Pages\s+(\d+)\s+\d+\s+R/g)].map(([, id = '']) => id));
  const parents = new Map<string, string>();
  const waiting = [...roots];
  let pages = 0;
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const children = findChildren(objects.get(id) ?? []);
    if (children === undefined) return undefined;
    if (children.size === 0) pages += 1;
    for (const child of children) {
      if (parents.has(child) || roots.has(child)) return undefined;
      parents.set(child, id);
      waiting.push(child);
    }
  }
  return pages > 0 ? pages : undefined;
}

function findChildren(versions: readonly string[]): Set<string> | undefined {
  if (versions.length === 0) return undefined;
  const found = new Set<string>();
  for (const version of versions) {
    const body = unescapeNames(version).replace(/%[^\r\n]*/g, ' ');
    const lists = [...body.matchAll(/\/Kids\s*\[([^\][]*)\]/g)];
    if (lists.length !== (body.match(/\/Kids\b/g)?.length ?? 0) || lists.length > 1) return undefined;
    const children = [...(lists[0]?.[1] ?? '').matchAll(/(\d+)\s+\d+\s+R/g)].map(([, child = '']) => child);
    if (new Set(children).size !== children.length) return undefined;
    for (const child of children) found.add(child);
  }
  return found;
}
