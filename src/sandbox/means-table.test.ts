import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../process/package-root.ts';
import { LIMITED, MEANS } from '../contract/sandbox-limits.ts';
import { MEANS_TABLE } from './means-table.ts';

describe('the table of means', () => {
  it.each(MEANS_TABLE.map((row) => [row.limit, row.means, row] as const))(
    '%s by %s is shown by a test that exists',
    (_limit, _means, { shownBy }) => {
      expect(readFileSync(join(packageRoot(), shownBy.file), 'utf8')).toContain(shownBy.test);
    },
  );

  it('has every limit and every means', () => {
    expect(new Set(MEANS_TABLE.map(({ limit }) => limit))).toEqual(new Set(LIMITED));
    expect(new Set(MEANS_TABLE.map(({ means }) => means))).toEqual(new Set(Object.keys(MEANS)));
  });

  it('lists the strong means of a limit before its weak ones', () => {
    for (const limit of LIMITED) {
      const strong = MEANS_TABLE.filter((row) => row.limit === limit).map(({ means }) => MEANS[means].strong);
      expect(strong).toEqual(strong.toSorted((a, b) => Number(b) - Number(a)));
    }
  });
});
