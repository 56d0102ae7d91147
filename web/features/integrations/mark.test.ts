import { describe, expect, it } from 'vitest';
import { MARK_COLORS, MARK_LETTERS, markColors, markLetters } from './mark.ts';

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
const contrast = (a: string, b: string): number => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

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
