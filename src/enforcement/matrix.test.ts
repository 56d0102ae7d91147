import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../process/package-root.ts';
import { SETTINGS_PAGES } from '../contract/enforcement.ts';
import { ENFORCEMENT_MATRIX } from './matrix.ts';

describe('the enforcement matrix', () => {
  it.each(ENFORCEMENT_MATRIX.map((row) => [row.control, row] as const))(
    '%s is shown by a test that exists',
    (_control, { shownBy }) => {
      expect(readFileSync(join(packageRoot(), shownBy.file), 'utf8')).toContain(shownBy.test);
    },
  );

  it('names every control once', () => {
    const controls = ENFORCEMENT_MATRIX.map(({ control }) => control);
    expect(new Set(controls).size).toBe(controls.length);
    expect(controls).toHaveLength(24);
    expect(ENFORCEMENT_MATRIX.filter((row) => !('beyond' in row))).toHaveLength(19);
  });

  it('has a row for every page of organization settings', () => {
    const pages = ENFORCEMENT_MATRIX.flatMap((row): readonly string[] => ('pages' in row ? row.pages : []));
    expect(SETTINGS_PAGES.filter((page) => !pages.includes(page))).toEqual([]);
  });

  it('lists no place of action for configured-only controls', () => {
    expect(
      new Set(ENFORCEMENT_MATRIX.filter(({ status }) => status === 'Configured only').map(({ actsOn }) => actsOn)),
    ).toEqual(new Set(['none']));
  });
});
