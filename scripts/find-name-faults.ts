// Finds names in pages and comments that stand for nothing: a path that no file has, and a name in camel case that no
// code contains. Prose that describes yesterday's code is a fault like a failing test.
import type { TextFile } from './find-word-faults.ts';

const CODE = /\.(?:tsx?|[cm]?js|sql)$/;
/** Of files of this project; what else has these endings is in `ELSEWHERE`. */
const ENDED = /^[\w@.{},*/-]+\.(?:tsx?|[cm]js|sql|md)$/;
/** Comments of TypeScript and SQL. A `//` inside a string follows a colon or has no space behind it. */
const COMMENT = /(?<=^|\s)\/\*\*?\s[\s\S]*?\*\/|(?<![:\w])\/\/ [^\n]*|(?<!\w)-- [^\n]*/gm;
const CAMEL_CASE = /(?<![\w.@/-])[a-z]+(?:[A-Z][a-z0-9]*)+(?![\w/-])/g;

/** What pages and comments name although it is not ours, with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'x.ts': 'any file',
  'x.test.ts': 'any test',
  'x.pg.test.ts': 'any test with a database',
  'tools/list': 'a method of MCP',
  'tools/call': 'a method of MCP',
  'tools/bin': 'in the data directory',
  'open-key.mjs': 'saved by the reader of the guide',
  'artifacts/answer.md': 'written by a run',
  'notes.md': 'a file of a person',
  'handbook.md': 'a file of a person',
  getWeather: 'a tool of a client',
  macOS: 'a product',
};

export function findNameFaults(files: readonly TextFile[], paths: readonly string[]): string[] {
  const known = knowPaths(paths);
  const code = files.filter(({ path }) => CODE.test(path));
  const words = new Set(files.flatMap(({ path, text }) => (path.endsWith('.md') ? [] : wordsOf(text))));
  return [
    ...files.flatMap(({ path, text }) => {
      const spans = path.endsWith('.md') ? spansOf(text) : commentsOf(text).flatMap(({ text: said }) => namesOf(said));
      return spans
        .filter((span) => !Object.hasOwn(ELSEWHERE, span) && isPath(span, known.tops) && !known.has(span))
        .map((span) => `${path}: ${span} is no file or directory`);
    }),
    ...code.flatMap(({ path, text }) =>
      commentsOf(text).flatMap(({ text: said }) =>
        [...said.matchAll(CAMEL_CASE)]
          .filter(([name]) => !words.has(name) && !Object.hasOwn(ELSEWHERE, name))
          .map(([name]) => `${path}: ${name} is in no code`),
      ),
    ),
  ];
}

function commentsOf(text: string): { text: string }[] {
  return [...text.matchAll(COMMENT)].map(([said]) => ({ text: said }));
}

function wordsOf(text: string): string[] {
  return text.replaceAll(COMMENT, ' ').match(/[A-Za-z]\w*/g) ?? [];
}

/** What a page has between single backticks, outside of blocks. */
function spansOf(page: string): string[] {
  const prose = page.replaceAll(/^(```+)[^\n]*\n[\s\S]*?^\1\s*$/gm, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
}

/** Comments often leave out the backticks around a file. */
function namesOf(comment: string): string[] {
  const plain = [...comment.matchAll(/(?<![\w@.{},*/`:-])[\w@.{},*-]+(?:\/[\w@.{},*-]+)*\.(?:tsx?|sql|md)\b/g)];
  return [...spansOf(comment), ...plain.map(([name]) => name)];
}

function isPath(span: string, tops: ReadonlySet<string>): boolean {
  if (ENDED.test(span)) return !span.startsWith('/') && !span.includes('..');
  return /^[\w.-]+(?:\/[\w.{},*-]+)+\/?$/.test(span) && tops.has(span.slice(0, span.indexOf('/')));
}

interface KnownPaths {
  readonly tops: ReadonlySet<string>;
  /** Whether a file or directory ends with this path; braces and stars stand for several. */
  has(span: string): boolean;
}

function knowPaths(paths: readonly string[]): KnownPaths {
  const ends = new Set<string>();
  for (const path of paths) {
    const parts = path.split('/');
    for (let to = parts.length; to > 0; to--)
      for (let from = 0; from < to; from++) {
        const part = parts.slice(from, to).join('/');
        ends.add(part);
        ends.add(part.replace(/(?:\.pg)?(?:\.test)?\.(?:tsx?|sql)$/, ''));
      }
  }
  const all = [...ends];
  return {
    // The directories of the project and the rooms of the sources.
    tops: new Set(paths.flatMap((path) => path.split('/').slice(0, path.startsWith('src/') ? 2 : 1))),
    has: (span) =>
      expandBraces(span.replace(/\/$/, '')).every((path) =>
        path.includes('*') ? all.some((end) => toExpression(path).test(end)) : ends.has(path),
      ),
  };
}

function expandBraces(path: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(path);
  if (!braces) return [path];
  const [whole, inner = ''] = braces;
  return inner.split(',').flatMap((each) => expandBraces(path.replace(whole, each.trim())));
}

function toExpression(glob: string): RegExp {
  return new RegExp(`^${glob.replaceAll('.', String.raw`\.`).replaceAll(/\*+/g, '[^/]*')}$`);
}
