import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeBytes, describeFileFault, findWriteFault, freeBytes } from './file-faults.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'service-faults-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('a place that cannot be written', () => {
  it.each([
    ['ENOSPC', /^no space is left on the disk \(\d.* [MG]B free now\)$/],
    ['EDQUOT', /quota/],
    ['EROFS', /read-only/],
    ['EACCES', /may not write there/],
    ['ENAMETOOLONG', /too long/],
  ])('is described by the code %s, also where the path does not exist yet', (code, words) => {
    expect(describeFileFault(code, join(directory, 'not', 'yet'))).toMatch(words);
  });

  it('is not the matter of another code', () => {
    expect(describeFileFault('ECONNREFUSED', directory)).toBeUndefined();
    expect(describeFileFault(undefined, directory)).toBeUndefined();
  });

  it('is found before anything is written to it', () => {
    expect(findWriteFault(join(directory, 'not', 'yet'))).toBeUndefined();
    writeFileSync(join(directory, 'file'), '');
    expect(findWriteFault(join(directory, 'file', 'data'))).toBe(
      `${join(directory, 'file')} is a file, not a directory`,
    );
  });
});

it('sizes are in words', () => {
  expect([0, 999_999, 60e6, 2.25e9].map(describeBytes)).toEqual(['0 MB', '0 MB', '60 MB', '2.3 GB']);
  expect(freeBytes(join(directory, 'not', 'yet'))).toBeGreaterThan(0);
});
