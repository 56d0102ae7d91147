// The color of a maker's logo in light and dark. Pure.

/** What a logo is drawn on: `.app-logo` in integrations.css. */
export const LOGO_GROUNDS = { light: '#f5f3f0', dark: '#2c2926' } as const;
const PLAIN = { light: '#1c1a18', dark: '#f3f1ee' } as const;
/** WCAG 1.4.11, for graphics. */
const ENOUGH = 3;

/** The maker's color where it can be seen, otherwise the logo in one plain color: it is never tinted. */
export function logoColors(color: string): { readonly light: string; readonly dark: string } {
  const pick = (scheme: keyof typeof PLAIN): string =>
    contrast(color, LOGO_GROUNDS[scheme]) >= ENOUGH ? color : PLAIN[scheme];
  return { light: pick('light'), dark: pick('dark') };
}

/** By WCAG's formula, from 1 to 21. */
export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
