// A list and a code block, to show how an answer with both is rendered.
const SAMPLES: readonly { readonly asks: RegExp; readonly language: string; readonly code: string }[] = [
  {
    asks: /\bpython\b/i,
    language: 'python',
    code: 'def count_words(text: str) -> int:\n    return len(text.split())\n\n\nprint(count_words("three demo words"))',
  },
  {
    asks: /\bsql\b/i,
    language: 'sql',
    code: "SELECT kind, count(*) AS total\nFROM demo_event\nWHERE at > now() - interval '1 day'\nGROUP BY kind\nORDER BY total DESC;",
  },
  { asks: /\b(bash|shell)\b/i, language: 'bash', code: '#!/usr/bin/env bash\nset -euo pipefail\nwc -w < "$1"' },
  {
    asks: /(?:)/,
    language: 'typescript',
    code: "export function countWords(text: string): number {\n  return text.split(/\\s+/).filter(Boolean).length;\n}\n\nconsole.log(countWords('three demo words'));",
  },
];

export function writeSample(said: string): string {
  const sample = SAMPLES.find(({ asks }) => asks.test(said));
  return [
    `- It is ${sample?.language}.`,
    '- It counts or lists something.',
    '- It is the same each time.',
    '',
    `\`\`\`${sample?.language}`,
    sample?.code,
    '```',
  ].join('\n');
}
