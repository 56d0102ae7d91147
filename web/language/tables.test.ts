// Every table has every text in German: same keys, same parameters, no text left in English.
import { describe, expect, it } from 'vitest';

type Table = Readonly<Record<string, unknown>>;

const english = import.meta.glob<Table>(['../**/*strings.ts'], { eager: true });
const german = import.meta.glob<Table>(['../**/*strings.de.ts'], { eager: true });
const sources = import.meta.glob<string>(['../**/*strings.ts'], { query: '?raw', import: 'default', eager: true });

/** Tables that only translations fill, because English shows what the server sends. */
const ONLY_TRANSLATED = new Set(['serverTexts', 'serverSentences', 'controlNames', 'waitingTexts', 'endTexts']);

/** Words that German took over, and names. */
const SAME = new Set(
  `|Agent Platform|· Agent Platform|Code|Chat|Chats|Apps|App|System|Admin|Name|BYOK|Tools|Tool|Domains|Details|Person|Filter|Parameter
  |Client|Clients|Token|Tokens|Status|Sandbox|Codex|Control|Live|Hash|Link|Design|Marketing|Support|OAuth|OAuth 1
  |Compliance|Version|Streams|JSON|JSON Schema|Prompt Injection|IBANs|Schema|openapi.json|openai/gpt-5-*|sk-…|sk-demo
  |sk-ant-demo|Google|OpenAI|Prompts|Text|Region|Chat Completions|Responses|Messages|Azure OpenAI|Amazon Bedrock|Google Vertex AI|Minimal|translate|Anthropic|Host (optional)|–|CSV|cgroup|default
  |ChatGPT|Claude|LibreChat|Passkeys|GitHub|GitLab|Linear|Slack|Stripe|Standard Webhooks|Repository`
    .split('|')
    .map((word) => word.trim()),
);

/** Every text of a table by its path; a function by its parameters. */
function textsOf(value: unknown, path = ''): [string, string | ((...given: unknown[]) => unknown)][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, value as (...given: unknown[]) => unknown]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, path === '' ? key : `${path}.${key}`));
}

const shared = (table: unknown): unknown =>
  Object.fromEntries(Object.entries(table as Table).filter(([name]) => !ONLY_TRANSLATED.has(name)));

describe.each(Object.entries(english))('%s', (path, module) => {
  const translation = german[path.replace(/\.ts$/, '.de.ts')]?.german;
  const ours = textsOf(shared(module));
  const theirs = new Map(textsOf(shared(translation)));

  it('asks for the translation of each of its texts by the name of its export', () => {
    const asked = [...(sources[path] ?? '').matchAll(/^export const (\w+) = inLanguage(?:<[^\n]*>)?\(\s*'\1',/gm)];
    expect(asked.map(([, name]) => name).toSorted()).toEqual(Object.keys(module).toSorted());
  });

  it('has the same texts in German', () => {
    expect([...theirs.keys()].toSorted()).toEqual(ours.map(([key]) => key).toSorted());
  });

  it('takes the same parameters', () => {
    const functions = ours.filter(([, text]) => typeof text === 'function');
    expect(functions.map(([key]) => [key, lengthOf(theirs.get(key))])).toEqual(
      functions.map(([key, text]) => [key, lengthOf(text)]),
    );
  });

  it('leaves no text in English', () => {
    const same = ours.filter(([key, text]) => wordsOf(theirs.get(key)) === wordsOf(text) && !SAME.has(wordsOf(text)));
    expect(same.map(([key, text]) => [key, String(text)])).toEqual([]);
  });

  it('has German quotation marks', () => {
    const wrong = [...theirs].filter(([, text]) => /[“”](?=\p{L})|’/u.test(String(text)));
    expect(wrong).toEqual([]);
  });
});

it('has no name twice', () => {
  const names = Object.values(english).flatMap((module) => Object.keys(module));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

/** What people would read of it; for a function, its literals. */
function wordsOf(text: unknown): string {
  if (typeof text === 'string') return /\p{L}/u.test(text) ? text : '';
  const literals = [...String(text).matchAll(/`((?:[^`\\]|\\.)*)`|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)];
  const words = literals.map(([, a, b, c]) => (a ?? b ?? c ?? '').replaceAll(/\$\{[^}]*\}/g, '').trim());
  return words.filter((word) => /\p{L}/u.test(word)).join(' ');
}

function lengthOf(text: unknown): number | undefined {
  return typeof text === 'function' ? text.length : undefined;
}

it('finds what is missing, unchanged or different', () => {
  const table = { a: { b: 'One', c: (name: string) => `Hello ${name}` } };
  expect(textsOf(table).map(([key]) => key)).toEqual(['a.b', 'a.c']);
  expect(lengthOf(table.a.c)).toBe(1);
  expect(wordsOf(table.a.c)).toBe('Hello');
  expect(wordsOf((name: string, count: number) => `${name}: ${count}`)).toBe('');
});
