// Holds the types to the glossary of docs/concepts.md: every type that its table names is exported by exactly one file,
// so that a word means one thing and a thing has one type.
import type { TextFile } from './find-word-faults.ts';

export const GLOSSARY_HEADING = '## Words and types';

export function findGlossaryFaults(page: TextFile, files: readonly TextFile[]): string[] {
  const names = readTypeNames(page.text);
  if (names.length === 0) return [`${page.path}: the section "${GLOSSARY_HEADING}" names no type`];
  const exporters = new Map<string, string[]>(names.map((name) => [name, []]));
  for (const { path, text } of files)
    for (const { name, line } of findTypeExports(text)) exporters.get(name)?.push(`${path}:${line}`);
  return [...exporters].flatMap(([name, places]) =>
    places.length === 1
      ? []
      : places.length === 0
        ? [`${page.path}: no file exports the type ${name}`]
        : [`${name} is exported ${places.length} times: ${places.join(', ')}`],
  );
}

/** The names in backticks in the last column of the section's table. */
export function readTypeNames(page: string): string[] {
  const start = page.split('\n').indexOf(GLOSSARY_HEADING);
  if (start < 0) return [];
  const lines = page.split('\n').slice(start + 1);
  const end = lines.findIndex((line) => /^##? /.test(line));
  const rows = (end < 0 ? lines : lines.slice(0, end)).filter((line) => line.startsWith('|'));
  return [
    ...new Set(
      rows.flatMap((row) => {
        const type = row.trim().replace(/\|$/, '').split('|').at(-1) ?? '';
        return [...type.matchAll(/`([A-Za-z]\w*)`/g)].map(([, name = '']) => name);
      }),
    ),
  ];
}

const DECLARATION = /^export (?:default )?(?:declare )?(?:abstract )?(?:type|interface|class) ([A-Za-z_]\w*)/gm;
const LIST = /^export (?:type )?\{([^}]*)\}/gm;

/** Declarations and lists; a type that is passed on from another file is a second place to import it from. */
function findTypeExports(text: string): { name: string; line: number }[] {
  const declared = [...text.matchAll(DECLARATION)].map(({ 1: name = '', index }) => ({ name, index }));
  const listed = [...text.matchAll(LIST)].flatMap(({ 1: names = '', index }) =>
    names.split(',').map((item) => ({
      name:
        item
          .trim()
          .replace(/^type /, '')
          .split(/ as /)
          .at(-1)
          ?.trim() ?? '',
      index,
    })),
  );
  return [...declared, ...listed].map(({ name, index }) => ({ name, line: text.slice(0, index).split('\n').length }));
}
