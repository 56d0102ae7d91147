// Finds statements that name a table of another room, in TypeScript and in the functions of the database, and tables
// that no row of the table in floors.ts says anything about.
import type { SourceFile } from './find-floor-faults.ts';
import { FUNCTION_ROOMS, TABLES } from './floors.ts';

const CREATED = /^create (?:unlogged )?(?:table|(?:or replace )?view) (?:if not exists )?:schema\.(\w+)/gm;

/** Of sources and of files in migrations; numbered migrations may name everything. */
export function findTableFaults(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    if (/^migrations\/\d/.test(path)) return findUnlisted(path, text);
    const room = roomOf(path);
    if (room === undefined) return [`${path}: floors.ts says of no room that these functions are its own`];
    return [...new Set(namesIn(path, text))]
      .filter((name) => Object.hasOwn(TABLES, name) && !TABLES[name]?.includes(room))
      .map((name) => `${path} names the table ${name}: only ${TABLES[name]?.join(', ')} may`);
  });
}

function findUnlisted(path: string, text: string): string[] {
  return [...text.matchAll(CREATED)]
    .map(([, name = '']) => name)
    .filter((name) => !Object.hasOwn(TABLES, name))
    .map((name) => `${path} creates the table ${name}: floors.ts does not say which rooms may name it`);
}

function roomOf(path: string): string | undefined {
  const [, functions] = /^migrations\/functions\/(\w+)\.sql$/.exec(path) ?? [];
  return functions === undefined ? path.split('/')[1] : FUNCTION_ROOMS[functions];
}

function namesIn(path: string, text: string): string[] {
  const code = path.endsWith('.sql')
    ? text.replaceAll(/--.*$/gm, '')
    : text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
  return [...code.matchAll(/:schema\.(\w+)/g)].map(([, name = '']) => name);
}
