// What changed since the last version has to be in the changelog. `scripts/released.json` records the surfaces of that
// version; each item that differs has to be named, in backquotes, in the section of what is not released. A route may be
// named by a path above it: `/scim` stands for all routes below it.
import { SURFACES, type Items, type Surface, type Surfaces } from './read-surfaces.ts';

export interface Released {
  readonly version: string;
  readonly surfaces: Surfaces;
}

const UNRELEASED = 'Unreleased';
const SECTION = /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/;
const KINDS = new Set(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']);
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const WHAT: Readonly<Record<Surface, string>> = {
  routes: 'the route',
  environment: 'the variable',
  errors: 'the error',
  migrations: 'the migration',
};

export function findChangelogFaults(changelog: string, released: Released, now: Surfaces): string[] {
  const shape = findShapeFaults(changelog, released.version);
  const named = namesIn(sectionOf(changelog, UNRELEASED));
  const missing = SURFACES.flatMap((surface) =>
    findChanges(released.surfaces[surface], now[surface])
      .filter(({ name }) => !isNamed(surface, name, named))
      .map(
        ({ name, how }) =>
          `CHANGELOG.md: ${WHAT[surface]} ${name} was ${how} since ${released.version}, and [${UNRELEASED}] does not name it in backquotes`,
      ),
  );
  return [...shape, ...missing];
}

/** The text below the heading of a version. */
export function sectionOf(changelog: string, version: string): string {
  const lines = changelog.split('\n');
  const from = lines.findIndex((line) => SECTION.exec(line)?.[1] === version);
  if (from < 0) return '';
  const to = lines.findIndex((line, at) => at > from && line.startsWith('## '));
  return lines.slice(from + 1, to < 0 ? undefined : to).join('\n');
}

function findChanges(before: Items, after: Items): { readonly name: string; readonly how: string }[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name) => {
    if (before[name] === after[name]) return [];
    return [{ name, how: before[name] === undefined ? 'added' : after[name] === undefined ? 'removed' : 'changed' }];
  });
}

function namesIn(section: string): ReadonlySet<string> {
  return new Set([...section.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name));
}

function isNamed(surface: Surface, name: string, named: ReadonlySet<string>): boolean {
  if (named.has(name)) return true;
  if (surface === 'migrations') return named.has(name.slice(0, 4)) || named.has(name.replace(/\.sql$/, ''));
  return surface === 'routes' && [...named].some((path) => path.startsWith('/') && name.startsWith(`${path}/`));
}

/** The order and the headings of keepachangelog.com. */
function findShapeFaults(changelog: string, released: string): string[] {
  const faults: string[] = [];
  const sections: string[] = [];
  for (const [at, line] of changelog.split('\n').entries()) {
    const say = (what: string): void => void faults.push(`CHANGELOG.md:${at + 1}: ${what}`);
    if (line.startsWith('## ')) {
      const [, version = '', date] = SECTION.exec(line) ?? [];
      sections.push(version);
      if (version === UNRELEASED) {
        if (sections.length > 1 || date !== undefined) say(`[${UNRELEASED}] is the first section and has no date`);
      } else if (!VERSION.test(version) || date === undefined)
        say('a section is headed "## [1.2.3] - 2026-01-31", or "## [Unreleased]"');
    } else if (line.startsWith('### ') && !KINDS.has(line.slice(4)))
      say(`"${line.slice(4)}" is none of ${[...KINDS].join(', ')}`);
  }
  if (sections[0] !== UNRELEASED) faults.push(`CHANGELOG.md: the first section has to be [${UNRELEASED}]`);
  if (sections[1] !== released)
    faults.push(
      `CHANGELOG.md: its latest version is ${sections[1] ?? 'missing'}, scripts/released.json was recorded for ${released}`,
    );
  return faults;
}
