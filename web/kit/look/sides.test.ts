// Text may run from right to left, so styles name the start and the end of a line, never its left and right.
import { expect, it } from 'vitest';

const sources = import.meta.glob<string>(['../../**/*.css', '../../**/*.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

const PHYSICAL = {
  css: [
    /(?<![\w-])(?:(?:margin|padding|border|inset|scroll-margin|scroll-padding)-)?(?:left|right)(?:-\w+)?\s*:/g,
    /(?<![\w-])border-(?:top|bottom)-(?:left|right)-radius\s*:/g,
    /(?<![\w-])(?:text-align|float|clear)\s*:\s*(?:left|right)\b/g,
  ],
  tsx: [
    /\b(?:margin|padding|border)(?:Left|Right)\b/g,
    /\b(?:textAlign|float):[^,}]*'(?:left|right)'/g,
    /\s(?:ml|mr|pl|pr)=(?=["{])/g,
    /\sta="(?:left|right)"/g,
  ],
} as const;

/** Shorthands with four values name the left last, and a radius of several begins at the left. */
const SHORTHAND = /(?<![\w-])(margin|padding|inset|border-(?:width|style|color|radius))\s*:\s*([^;}]+)/g;

function findSides(source: string, kind: keyof typeof PHYSICAL): string[] {
  const plain = kind === 'css' ? source.replace(/\/\*[^]*?\*\//g, '') : source;
  const named = PHYSICAL[kind].flatMap((pattern) => plain.match(pattern) ?? []);
  const shorthands = kind === 'css' ? [...plain.matchAll(SHORTHAND)].filter(isUneven).map(([whole]) => whole) : [];
  return [...named, ...shorthands].map((text) => text.trim());
}

function isUneven([, property = '', value = '']: RegExpMatchArray): boolean {
  const values = value.trim().match(/(?:[^\s(]|\([^)]*\))+/g) ?? [];
  if (property === 'border-radius') return values.length > 1;
  return values.length === 4 && values[1] !== values[3];
}

it.each([
  ['css', '.a { margin-left: 1rem }', ['margin-left:']],
  ['css', '.a { right: 0; border-right-color: red }', ['right:', 'border-right-color:']],
  ['css', '.a { text-align: right; border-top-left-radius: 0 }', ['border-top-left-radius:', 'text-align: right']],
  ['css', '.a { padding: 0 1px 0 calc(1px + 2px); margin: 0 1px 0 1px }', ['padding: 0 1px 0 calc(1px + 2px)']],
  ['css', ".a { text-align: start; inset-inline: 0; border-radius: 1rem } /* left: 0 */ [data-align='right'] {}", []],
  [
    'tsx',
    "<p style={{ marginLeft: 1, textAlign: a ? 'start' : 'right' }} />",
    ['marginLeft', "textAlign: a ? 'start' : 'right'"],
  ],
  ['tsx', '<Badge mr={8} ms={4} ta="left" />', ['mr=', 'ta="left"']],
] as const)('is found in %s: %s', (kind, source, expected) => {
  expect(findSides(source, kind)).toEqual(expected);
});

it('stands in no style of the app', () => {
  const faults = Object.entries(sources).flatMap(([file, source]) =>
    findSides(source, file.endsWith('.css') ? 'css' : 'tsx').map((text) => `${file}: ${text}`),
  );
  expect(faults).toEqual([]);
});
