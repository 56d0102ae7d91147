// What Mermaid carries that the app does not need. Its functions keep their names at run time, which costs a call and a
// text each; it brings a second parser of Markdown for labels, while the app's own is on every page with a diagram; and
// what lays a diagram out uses lodash, while the rest uses the smaller functions of the same names.
import { parseSync, type Plugin, Visitor } from 'vite';

const MERMAID = /[\\/]node_modules[\\/]mermaid[\\/]/;
const DRAWING = /[\\/]node_modules[\\/](?:mermaid|dagre-d3-es)[\\/]/;

const LOG_TIME = 'dayjs().format("ss.SSS")';

const INSTEAD: Readonly<Record<string, string>> = {
  marked: '/kit/markdown/label-lexer.ts',
  'lodash-es': 'es-toolkit/compat',
};

export const leanDiagrams: Plugin = {
  name: 'lean-diagrams',
  enforce: 'pre',
  resolveId(source, importer) {
    const instead = INSTEAD[source];
    return instead === undefined || !DRAWING.test(importer ?? '') ? undefined : this.resolve(instead, importer);
  },
  transform: (code, id) => (MERMAID.test(id) ? withoutNames(withoutClock(code)) : undefined),
};

/** Its log, which is off, formats the time with a library that only charts of dates need. */
function withoutClock(code: string): string {
  return code
    .replace('import dayjs from "dayjs";\n', (line) => (code.includes(LOG_TIME) ? '' : line))
    .replace(LOG_TIME, 'Date.now()');
}

/** `__name(it, 'it')` becomes `it`. */
function withoutNames(code: string): string {
  const cuts: { start: number; end: number }[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [named], start, end }) {
      if (callee.type !== 'Identifier' || callee.name !== '__name' || named === undefined) return;
      cuts.push({ start, end: named.start }, { start: named.end, end });
    },
  }).visit(parseSync('mermaid.mjs', code).program);
  let rest = code;
  for (const { start, end } of cuts.toSorted((a, b) => b.start - a.start))
    rest = rest.slice(0, start) + rest.slice(end);
  return rest;
}
