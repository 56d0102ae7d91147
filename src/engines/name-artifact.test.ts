import { expect, it } from 'vitest';
import { nameArtifact } from './name-artifact.ts';

const taken = new Set(['run-log']);

it.each(['report.txt', 'a/b/c.txt', 'a__b', 'with space/ü.txt', '.hidden', '...'])(
  'keeps %s as the run named it',
  (path) => {
    expect(nameArtifact(path, taken)).toBe(path);
  },
);

it.each([
  ['a name that holds what names may not', 'a\nb\\c\u0007', /^a_b_c_-[0-9a-f]{8}$/],
  ['no name at all', '..', /^\.\.-[0-9a-f]{8}$/],
  ['a name that is taken', 'run-log', /^run-log-[0-9a-f]{8}$/],
  ['a directory that is taken', 'run-log/log.ndjson', /^run-log__log\.ndjson-[0-9a-f]{8}$/],
  ['a name that is too long', `${'ä'.repeat(300)}.txt`, /^ä+-[0-9a-f]{8}$/],
])('makes a plain name of its own of %s', (_, path, name) => {
  expect(nameArtifact(path, taken)).toMatch(name);
  expect(Buffer.byteLength(nameArtifact(path, taken))).toBeLessThanOrEqual(255);
  expect(nameArtifact(path, taken)).not.toBe(nameArtifact(`${path}x`, taken));
});
