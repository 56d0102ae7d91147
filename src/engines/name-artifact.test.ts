import { expect, it } from 'vitest';
import { nameArtifact } from './name-artifact.ts';

const taken = new Set(['run-log']);

it.each(['report.txt', 'a/b/c.txt', 'a__b', 'with space/ü.txt', '.hidden', '...', '100 %', '50%20off?#.txt'])(
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
  ['a name that is a null byte once it is decoded', '%00', /^_00-[0-9a-f]{8}$/],
  ['a name that is a line break once it is decoded twice', 'a/%250a', /^a___250a-[0-9a-f]{8}$/],
  ['a directory that leads upwards once it is decoded', '%2e%2e/x', /^_2e_2e__x-[0-9a-f]{8}$/],
  ['a name that is too long', `${'ä'.repeat(300)}.txt`, /^ä+-[0-9a-f]{8}$/],
])('makes a plain name of its own of %s', (_, path, name) => {
  expect(nameArtifact(path, taken)).toMatch(name);
  expect(Buffer.byteLength(nameArtifact(path, taken))).toBeLessThanOrEqual(255);
  expect(nameArtifact(path, taken)).not.toBe(nameArtifact(`${path}x`, taken));
});
