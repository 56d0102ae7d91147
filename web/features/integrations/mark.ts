// The letters and colors of an app's mark. Pure.

/** In light mode the letters are white, in dark mode almost black; a test checks the contrast of each. */
export const MARK_LETTERS = { light: '#ffffff', dark: '#11100f' } as const;

export const MARK_COLORS = [
  { light: '#155f4f', dark: '#86c3b0' },
  { light: '#1f5a86', dark: '#8fbfe0' },
  { light: '#4a4a9c', dark: '#b3b3ec' },
  { light: '#7a3d8f', dark: '#d3a6e2' },
  { light: '#96305f', dark: '#eaa3c2' },
  { light: '#a03a2a', dark: '#f0a898' },
  { light: '#8a4d0f', dark: '#e5b57c' },
  { light: '#6b5b0c', dark: '#d3c274' },
  { light: '#44691a', dark: '#a9cc84' },
  { light: '#1c6670', dark: '#86c6d0' },
  { light: '#5a5148', dark: '#c4bbb0' },
  { light: '#35507a', dark: '#a3b8dd' },
] as const;

/** The same for the same id, always. */
export function markColors(id: string): (typeof MARK_COLORS)[number] {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return MARK_COLORS[sum % MARK_COLORS.length] ?? MARK_COLORS[0];
}

/** Of two words their first letters, of one its first two: GitHub is GH, Gmail is Gm. */
export function markLetters(name: string): string {
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu) ?? [];
  const [first = '?', second] = words;
  return second === undefined ? first.slice(0, 2) : `${first.charAt(0)}${second.charAt(0)}`.toUpperCase();
}
