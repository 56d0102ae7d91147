import { expect, it } from 'vitest';
import { findChangelogFaults, type Released } from './find-changelog-faults.ts';
import type { Surfaces } from './read-surfaces.ts';

const BEFORE: Surfaces = {
  routes: { '/api/keys': 'a', '/scim/v2/Users': 'b' },
  environment: { SERVICE_PORT: 'a' },
  errors: { not_found: 'a' },
  migrations: { '0001_schema.sql': 'a' },
};
const released: Released = { version: '1.0.0', surfaces: BEFORE };
const changelog = (unreleased: string): string =>
  `# Changelog\n\n## [Unreleased]\n\n${unreleased}\n\n## [1.0.0] - 2026-01-31\n\nThe first, with \`SERVICE_PORT\`.\n`;

it('nothing changed: nothing has to be said', () => {
  expect(findChangelogFaults(changelog(''), released, BEFORE)).toEqual([]);
});

it.each([
  [
    'an added variable',
    { environment: { SERVICE_PORT: 'a', SERVICE_NEW: 'a' } },
    '- `SERVICE_NEW` does this.',
    /variable SERVICE_NEW was added/,
  ],
  [
    'a changed variable',
    { environment: { SERVICE_PORT: 'z' } },
    '- `SERVICE_PORT` is another.',
    /variable SERVICE_PORT was changed/,
  ],
  ['a removed error', { errors: {} }, '- `not_found` is gone.', /error not_found was removed/],
  [
    'a migration',
    { migrations: { ...BEFORE.migrations, '0002_more.sql': 'a' } },
    '- Migration `0002` expands.',
    /migration 0002_more.sql was added/,
  ],
  [
    'a route',
    { routes: { ...BEFORE.routes, '/api/keys': 'z' } },
    '- `/api/keys` answers more.',
    /route \/api\/keys was changed/,
  ],
  [
    'routes below a path',
    { routes: { '/api/keys': 'a' } },
    '- `/scim` is gone.',
    /route \/scim\/v2\/Users was removed/,
  ],
] as const)('%s has to be named', (_what, change, line, fault) => {
  const now: Surfaces = { ...BEFORE, ...change };
  expect(findChangelogFaults(changelog('- Something else.'), released, now)).toEqual([expect.stringMatching(fault)]);
  expect(findChangelogFaults(changelog(`### Changed\n\n${line}`), released, now)).toEqual([]);
});

it('a mention without backquotes, or in an older section, is none', () => {
  const now: Surfaces = { ...BEFORE, environment: { SERVICE_PORT: 'z' } };
  expect(findChangelogFaults(changelog('SERVICE_PORT'), released, now)).toHaveLength(1);
});

it('sections and headings are those of keepachangelog', () => {
  const faults = findChangelogFaults('# Changelog\n\n## 1.0.0\n\n### News\n', released, BEFORE);
  expect(faults).toEqual([
    expect.stringMatching(/:3: a section is headed/),
    expect.stringMatching(/:5: "News" is none of Added/),
    expect.stringMatching(/first section/),
    expect.stringMatching(/latest version is missing/),
  ]);
});
