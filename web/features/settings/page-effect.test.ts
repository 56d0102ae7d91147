import { describe, expect, it } from 'vitest';
import { ENFORCEMENT_MATRIX } from '../../../src/enforcement/matrix.ts';
import type { ControlOnWire } from '../../../src/contract/enforcement.ts';
import { effectOf } from './page-effect.ts';
import { SETTINGS_PAGES } from './settings-pages.ts';

const controls: ControlOnWire[] = ENFORCEMENT_MATRIX.map((row) => ({
  control: row.control,
  actsOn: row.actsOn,
  status: row.status,
  ...('pages' in row ? { pages: [...row.pages] } : {}),
}));

describe('what a page of settings does', () => {
  it('follows from the enforcement matrix', () => {
    expect(Object.fromEntries(SETTINGS_PAGES.map(({ page }) => [page, effectOf(controls, page)?.effect]))).toEqual({
      general: 'acts',
      members: 'acts',
      byok: 'acts',
      models: 'acts',
      plan: 'acts',
      spending: 'acts',
      feedback: 'acts',
      guardrails: 'stored',
      policies: 'stored',
      tools: 'stored',
      domains: 'placeholder',
      sso: 'placeholder',
      directory: 'placeholder',
    });
    expect(effectOf(controls, 'compliance')?.effect).toBe('acts');
  });

  it('names what does not act on a page that does', () => {
    expect(effectOf(controls, 'models')?.exceptions).toEqual(['Require organization provider key']);
    expect(effectOf(controls, 'members')?.exceptions).toEqual([]);
  });

  it('names what acts on a page where most does not', () => {
    expect(effectOf(controls, 'policies')?.exceptions).toEqual(['Sharing of chats']);
    expect(effectOf(controls, 'guardrails')?.exceptions).toEqual([]);
  });

  it('is not claimed for a page without a row', () => {
    expect(effectOf([], 'models')).toBeUndefined();
  });
});
