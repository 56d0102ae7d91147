// The text of a demo model's answer. Every answer to a user starts with "Demo answer", so that it cannot be mistaken for
// a real model's. The same question always gets the same answer.
import { type DemoRequest, type Item, lastExchange, type ToolLocation } from './demo-request.ts';
import { type ChosenCall, chooseCalls } from './choose-calls.ts';
import { fillObject } from './fill-schema.ts';
import { findSchema } from './find-schema.ts';
import { ANSWER_FILE } from './shell-steps.ts';
import { writeLongText } from './write-long-text.ts';
import { writeSample } from './write-sample.ts';

export interface ComposedAnswer {
  readonly text: string;
  readonly calls: readonly ChosenCall[];
}

const LONGEST_READ = 20_000;
const LONGEST_ECHO = 240;
const LONGEST_RESULT = 600;

const ASKS_FOR_TITLE =
  /\b(write|give|make|create|generate|suggest|reply with|answer with|respond with|come up with)\b[^.\n]{0,60}\btitle\b/i;

interface Intent {
  readonly asks: RegExp;
  answer(said: string): string;
}

/** The first match is used. */
const INTENTS: readonly Intent[] = [
  { asks: /\b(count|how many)\b[^]{0,80}\bwords?\b/i, answer: answerCount },
  {
    asks: /\b(code|function|script|program|snippet|sql query)\b/i,
    answer: (said) => `Here is some code, written by rule and not by a model.\n\n${echo(said)}\n\n${writeSample(said)}`,
  },
  {
    asks: /\b(list|table|markdown|format)\b/i,
    answer: (said) =>
      `Here is some markdown.\n\n${echo(said)}\n\n| part | words |\n|---|---|\n| your message | ${countWords(said)} |\n\n1. **First**, this is a list.\n2. *Second*, it has \`three\` points.\n3. Third, nothing in it is knowledge.`,
  },
  {
    asks: /\b(long|essay|story|article|paragraphs)\b/i,
    answer: (said) => `Here is a long text, so that you can watch it arrive or stop it.\n\n${writeLongText(said)}`,
  },
];

export function composeAnswer(request: DemoRequest, location: ToolLocation = 'client'): ComposedAnswer {
  const calls = chooseCalls(request, location);
  return calls.length > 0 ? { text: '', calls } : { text: composeText(request), calls: [] };
}

function composeText(request: DemoRequest): string {
  const { user, since } = lastExchange(request.items);
  const said = user.text.slice(0, LONGEST_READ);
  const schema = findSchema(request);
  if (schema) return JSON.stringify(fillObject(schema, said), undefined, 2);
  const results = since.filter((item) => item.kind === 'result');
  if (results.length > 0) return `Demo answer: ${answerResults(since, results)}`;
  // Applications name conversations by asking for a title: the answer must contain nothing else. What was
  // answered may follow the question, after a rule.
  if (ASKS_FOR_TITLE.test(request.system.slice(0, LONGEST_READ)))
    return `Demo: ${firstWords(said.split('\n---\n', 1)[0] ?? '', 6)}`;
  const intent = INTENTS.find(({ asks }) => asks.test(said));
  if (intent) return `Demo answer: ${intent.answer(said)}`;
  return [
    `Demo answer: I am a demo model in the place of \`${request.model.replaceAll('`', '')}\`; no real model was called.`,
    echo(said),
    `That is ${plural(countWords(user.text), 'word')}${user.attachments > 0 ? `, with ${plural(user.attachments, 'attachment')} that I do not look at` : ''}. Ask me for code, for a list or for a long text, or to count the words of something.`,
  ].join('\n\n');
}

function answerResults(since: readonly Item[], results: readonly Extract<Item, { kind: 'result' }>[]): string {
  const names = [...new Set(since.flatMap((item) => (item.kind === 'call' ? [`\`${item.name}\``] : [])))].join(', ');
  const last = results.at(-1)?.text.trim() ?? '';
  const shown = last.length > LONGEST_RESULT ? `${last.slice(0, LONGEST_RESULT).toWellFormed()}…` : last;
  const left = last.includes('# Demo answer') ? `\n\nI left the file \`${ANSWER_FILE}\`.` : '';
  return `I called ${names || 'a tool'} (${plural(results.length, 'call')}). ${shown === '' ? 'The last answer was empty.' : `The last answer was:\n\n\`\`\`\n${shown.replaceAll('```', "'''")}\n\`\`\``}${left}`;
}

/** Of the text in quotes or after a colon, otherwise of the whole message. */
function answerCount(said: string): string {
  const meant = /["“]([^"”]+)["”]/.exec(said)?.[1] ?? /:\s*([^]+)$/.exec(said)?.[1] ?? said;
  return `I counted ${plural(countWords(meant), 'word')} in “${excerpt(meant)}”.`;
}

function echo(said: string): string {
  return said.trim() === '' ? 'I understood nothing: the message has no text.' : `I understood: “${excerpt(said)}”`;
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_ECHO ? `${line.slice(0, LONGEST_ECHO).toWellFormed()}…` : line;
}

function firstWords(text: string, most: number): string {
  return excerpt(text).split(' ').slice(0, most).join(' ') || 'empty message';
}

function countWords(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(/\S+/g)) count++;
  return count;
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
