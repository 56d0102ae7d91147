import { describe, expect, it } from 'vitest';
import { logos } from 'virtual:app-logos';
import { contrast, LOGO_GROUNDS, logoColors } from './logo-colors.ts';

describe('the logos of apps', () => {
  it('are drawn for the apps whose manifest names one', () => {
    expect(Object.keys(logos)).toEqual(expect.arrayContaining(['github', 'google-mail', 'notion', 'notion-mcp']));
    expect(logos['slack']).toBeUndefined();
    expect(logos['notion']).toEqual(logos['notion-mcp']);
  });

  it.each(Object.entries(logos))('can be seen in light and dark: %s', (_id, { path, light, dark }) => {
    expect(path).toMatch(/^M/i);
    expect(contrast(light, LOGO_GROUNDS.light)).toBeGreaterThanOrEqual(3);
    expect(contrast(dark, LOGO_GROUNDS.dark)).toBeGreaterThanOrEqual(3);
  });

  it('keep their color where it can be seen and are plain where it cannot', () => {
    expect(logoColors('#EA4335')).toEqual({ light: '#EA4335', dark: '#EA4335' });
    expect(logoColors('#181717')).toEqual({ light: '#181717', dark: '#f3f1ee' });
    expect(logoColors('#FFE01B')).toEqual({ light: '#1c1a18', dark: '#FFE01B' });
  });
});
