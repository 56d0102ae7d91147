import { describe, expect, it } from 'vitest';
import { contrast } from './logo-colors.ts';
import { MARK_COLORS, MARK_LETTERS, markColors, markLetters } from './mark.ts';

describe('the mark of an app', () => {
  it.each(MARK_COLORS)('has letters that can be read on $light and $dark, and stands out from the page', (colors) => {
    for (const scheme of ['light', 'dark'] as const)
      expect(contrast(colors[scheme], MARK_LETTERS[scheme]), scheme).toBeGreaterThanOrEqual(4.5);
    expect(contrast(colors.light, '#ffffff')).toBeGreaterThanOrEqual(3);
    expect(contrast(colors.dark, '#211f1d')).toBeGreaterThanOrEqual(3);
  });

  it('keeps its color', () => {
    expect(markColors('github')).toBe(markColors('github'));
    expect(new Set(['github', 'gitlab', 'slack', 'notion', 'jira', 'asana'].map(markColors)).size).toBeGreaterThan(2);
  });

  it.each([
    ['GitHub', 'GH'],
    ['Gmail', 'Gm'],
    ['Google Drive', 'GD'],
    ['Amazon Web Services', 'AW'],
    ['BambooHR', 'BH'],
    ['OneDrive', 'OD'],
    ['Notion (MCP)', 'NM'],
    ['WordPress.com', 'WP'],
    ['…', '?'],
  ])('%s is %s', (name, letters) => expect(markLetters(name)).toBe(letters));
});
