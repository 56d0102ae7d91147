// highlight.js, which is loaded with the first code block; each language with the first block in it. The result is a
// tree, so no markup is parsed.
import type { LanguageFn } from 'highlight.js';
import { createLowlight } from 'lowlight';

export type Coloured = string | { readonly className: string; readonly children: readonly Coloured[] };

type Load = () => Promise<{ default: LanguageFn }>;

/** Languages by name, with the other names that answers give them. */
const LANGUAGES: Readonly<Record<string, readonly [load: Load, ...aliases: string[]]>> = {
  bash: [() => import('highlight.js/lib/languages/bash'), 'sh', 'shell', 'zsh', 'console', 'terminal'],
  c: [() => import('highlight.js/lib/languages/c'), 'h'],
  cpp: [() => import('highlight.js/lib/languages/cpp'), 'c++', 'cc', 'hpp', 'cxx'],
  csharp: [() => import('highlight.js/lib/languages/csharp'), 'cs', 'c#'],
  css: [() => import('highlight.js/lib/languages/css')],
  dart: [() => import('highlight.js/lib/languages/dart')],
  diff: [() => import('highlight.js/lib/languages/diff'), 'patch'],
  dockerfile: [() => import('highlight.js/lib/languages/dockerfile'), 'docker'],
  elixir: [() => import('highlight.js/lib/languages/elixir'), 'ex', 'exs'],
  erlang: [() => import('highlight.js/lib/languages/erlang'), 'erl'],
  go: [() => import('highlight.js/lib/languages/go'), 'golang'],
  graphql: [() => import('highlight.js/lib/languages/graphql'), 'gql'],
  haskell: [() => import('highlight.js/lib/languages/haskell'), 'hs'],
  http: [() => import('highlight.js/lib/languages/http')],
  ini: [() => import('highlight.js/lib/languages/ini'), 'toml', 'conf', 'properties', 'dotenv', 'env'],
  java: [() => import('highlight.js/lib/languages/java')],
  javascript: [() => import('highlight.js/lib/languages/javascript'), 'js', 'jsx', 'mjs', 'cjs', 'node'],
  json: [() => import('highlight.js/lib/languages/json'), 'json5', 'jsonc', 'jsonl', 'ndjson'],
  julia: [() => import('highlight.js/lib/languages/julia'), 'jl'],
  kotlin: [() => import('highlight.js/lib/languages/kotlin'), 'kt', 'kts'],
  latex: [() => import('highlight.js/lib/languages/latex'), 'tex'],
  less: [() => import('highlight.js/lib/languages/less')],
  lua: [() => import('highlight.js/lib/languages/lua')],
  makefile: [() => import('highlight.js/lib/languages/makefile'), 'make', 'mk'],
  markdown: [() => import('highlight.js/lib/languages/markdown'), 'md', 'mdx'],
  nginx: [() => import('highlight.js/lib/languages/nginx')],
  objectivec: [() => import('highlight.js/lib/languages/objectivec'), 'objc', 'objective-c'],
  perl: [() => import('highlight.js/lib/languages/perl'), 'pl'],
  php: [() => import('highlight.js/lib/languages/php')],
  powershell: [() => import('highlight.js/lib/languages/powershell'), 'ps1', 'pwsh', 'ps'],
  protobuf: [() => import('highlight.js/lib/languages/protobuf'), 'proto'],
  python: [() => import('highlight.js/lib/languages/python'), 'py', 'python3', 'py3'],
  r: [() => import('highlight.js/lib/languages/r')],
  ruby: [() => import('highlight.js/lib/languages/ruby'), 'rb'],
  rust: [() => import('highlight.js/lib/languages/rust'), 'rs'],
  scala: [() => import('highlight.js/lib/languages/scala')],
  scss: [() => import('highlight.js/lib/languages/scss'), 'sass'],
  sql: [() => import('highlight.js/lib/languages/sql'), 'postgres', 'postgresql', 'psql', 'mysql', 'sqlite', 'plpgsql'],
  swift: [() => import('highlight.js/lib/languages/swift')],
  typescript: [() => import('highlight.js/lib/languages/typescript'), 'ts', 'tsx', 'mts', 'cts'],
  vbnet: [() => import('highlight.js/lib/languages/vbnet'), 'vb'],
  xml: [() => import('highlight.js/lib/languages/xml'), 'html', 'xhtml', 'svg', 'vue', 'svelte', 'rss', 'plist'],
  yaml: [() => import('highlight.js/lib/languages/yaml'), 'yml', 'k8s', 'kubernetes'],
};
/** What a language has inside itself. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  xml: ['css', 'javascript'],
  markdown: ['xml'],
  javascript: ['xml'],
  typescript: ['xml'],
  php: ['xml'],
};

const names = new Map(
  Object.entries(LANGUAGES).flatMap(([name, [, ...aliases]]) => [name, ...aliases].map((one) => [one, name])),
);
const lowlight = createLowlight();
type Tree = ReturnType<typeof lowlight.highlight>['children'];

/** Undefined if the language is not known or could not be loaded. */
export async function highlight(text: string, language: string): Promise<readonly Coloured[] | undefined> {
  const name = names.get(language.toLowerCase());
  if (name === undefined) return undefined;
  try {
    await Promise.all([name, ...(INSIDE[name] ?? [])].map(register));
    return toColoured(lowlight.highlight(name, text).children);
  } catch {
    return undefined;
  }
}

async function register(name: string): Promise<void> {
  const load = LANGUAGES[name]?.[0];
  if (load !== undefined && !lowlight.registered(name)) lowlight.register(name, (await load()).default);
}

function toColoured(nodes: Tree): Coloured[] {
  return nodes.flatMap((node): Coloured[] => {
    if (node.type === 'text') return [node.value];
    if (node.type !== 'element') return [];
    const { className } = node.properties;
    const children = toColoured(node.children);
    return [{ className: Array.isArray(className) ? className.join(' ') : '', children }];
  });
}
