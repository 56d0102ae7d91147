// Two versions run on one schema while a deployment is upgraded, and after a rollback. So a migration either expands (adds
// what older builds do not notice) or contracts (removes what recent builds no longer read), and says which in its first
// line: `-- expand`, or `-- contract: nothing older than 0031 reads it`.
import { splitStatements } from './split-statements.ts';

/** The initial schema, which has no kind: only builds that know it run with it. */
export const LAST_WITHOUT_KIND = 1;

const CONTRACT = /^-- contract: nothing older than (\d{4}) reads it$/;

/** How many migrations a build must know at least to run with this one. */
export function oldestBuildFor(version: number, sql: string): number {
  const [first = ''] = sql.split('\n', 1);
  if (first === '-- expand') return 0;
  const [, oldest] = CONTRACT.exec(first) ?? [];
  return oldest === undefined ? version : Number(oldest);
}

/** How a migration breaks the rule; empty when it does not. */
export function findMigrationFaults(version: number, sql: string): string[] {
  if (version <= LAST_WITHOUT_KIND) return [];
  const [first = ''] = sql.split('\n', 1);
  if (first === '-- expand') return findExpandFaults(sql);
  const [, oldest] = CONTRACT.exec(first) ?? [];
  if (oldest === undefined)
    return ["its first line is neither '-- expand' nor '-- contract: nothing older than NNNN reads it'"];
  return Number(oldest) < version ? [] : [`it names ${oldest}, which is not older than itself`];
}

/** How a function file breaks its rule: it is applied repeatedly and under load, so it may only define functions. */
export function findFunctionFileFaults(sql: string): string[] {
  return splitStatements(sql)
    .map(plain)
    .filter((text) => !/^(?:create or replace function|drop function if exists|comment on function) /.test(text))
    .map((text) => `a function file may only define functions: ${text.slice(0, 120)}`);
}

/** What would break an older build. Tables that the same file creates are exempt: no older build knows them. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^drop (?!index\b)/, 'drops something'],
  [/^truncate\b|^delete\b/, 'removes rows'],
  [/^revoke\b/, 'takes a right away'],
  [
    /^alter table .* (?:drop (?:column )?(?:if exists )?(?!column|constraint|not null|default|if)\w+)/,
    'drops a column',
  ],
  [/\brename\b/, 'renames something'],
  [/\balter (?:column )?\w+ (?:set data )?type\b/, 'changes the type of a column'],
  [/\bset not null\b/, 'makes a column mandatory'],
  [/\bdrop default\b/, 'takes a default away'],
  [/^alter table .*\badd (?:constraint|check|unique|primary|foreign|exclude)\b/, 'refuses values that were allowed'],
  [/^create unique index\b/, 'refuses values that were allowed'],
];

function findExpandFaults(sql: string): string[] {
  const statements = splitStatements(sql).map(plain);
  const created = new Set(
    statements.flatMap((text) => /^create (?:unlogged )?table (?:if not exists )?(\S+)/.exec(text)?.[1] ?? []),
  );
  const added = new Set(
    statements.flatMap((text) =>
      [...text.matchAll(/\badd (?:column )?(?:if not exists )?(\w+)/g)].map(([, name]) => name ?? ''),
    ),
  );
  return statements.flatMap((text) => {
    const table = /^(?:alter table (?:if exists )?(?:only )?|create unique index (?:.* )?on |update )(\S+)/.exec(
      text,
    )?.[1];
    if (table !== undefined && created.has(table)) return [];
    const refused = REFUSED.filter(([pattern]) => pattern.test(text)).map(([, what]) => what);
    return [...refused, ...findMandatory(text), ...findRewritten(text, added)].map(
      (what) => `an expansion ${what}: ${text.slice(0, 120)}`,
    );
  });
}

function findMandatory(text: string): string[] {
  if (!text.startsWith('alter table')) return [];
  return splitAtCommas(text).some(
    (action) => /\badd (?:column )?/.test(action) && /\bnot null\b/.test(action) && !/\bdefault\b/.test(action),
  )
    ? ['adds a mandatory column without a default']
    : [];
}

/** What older builds have written must keep its meaning: only new columns may be filled. */
function findRewritten(text: string, added: ReadonlySet<string>): string[] {
  const [, assignments] = /^update \S+ (?:\w+ )?set (.*?)(?: from | where |$)/.exec(text) ?? [];
  if (assignments === undefined) return [];
  const columns = splitAtCommas(assignments).map((one) => /^\s*(\w+)\s*=/.exec(one)?.[1] ?? one);
  return columns.every((name) => added.has(name)) ? [] : ['rewrites a column that is not new'];
}

function splitAtCommas(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

/** In lower case, on one line, without comments, function bodies and string contents. */
function plain(statement: string): string {
  return statement
    .replaceAll(/\$\$[^]*?\$\$/g, '$$$$')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
