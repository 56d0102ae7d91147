// Finds statements that name a table of another room, in TypeScript and in the functions of the database, and tables
// that no row of the table in floors.ts says anything about. It also finds the rule who is in a workspace written down
// outside its view: a copy that differs shows people what is not theirs.
import type { SourceFile } from './find-floor-faults.ts';
import { FUNCTION_ROOMS, TABLES } from './floors.ts';

const CREATED = /^create (?:unlogged )?(?:table|(?:or replace )?view) (?:if not exists )?:schema\.(\w+)/gm;

/** Members of the organization are in every workspace that is not named. In SQL: TypeScript compares with `===`. */
const IS_MEMBER = /\bkind\s*(?:<>|!=|(?<![=!])=(?!=))\s*'named'/;

/** Of sources and of files in migrations; numbered migrations may name everything. */
export function findTableFaults(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    if (/^migrations\/\d/.test(path)) return findUnlisted(path, text);
    const room = roomOf(path);
    if (room === undefined) return [`${path}: floors.ts says of no room that these functions are its own`];
    const code = withoutComments(path, text);
    const named = new Set([...code.matchAll(/:schema\.(\w+)/g)].map(([, name = '']) => name));
    const faults = [...named]
      .filter((name) => Object.hasOwn(TABLES, name) && !TABLES[name]?.includes(room))
      .map((name) => `${path} names the table ${name}: only ${TABLES[name]?.join(', ')} may`);
    if (IS_MEMBER.test(code))
      faults.push(`${path} decides itself who is in a workspace: the view member_workspace says it`);
    return faults;
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

function withoutComments(path: string, text: string): string {
  if (path.endsWith('.sql')) return text.replaceAll(/--.*$/gm, '');
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}
