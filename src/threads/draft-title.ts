import { stripMarkdown } from './strip-markdown.ts';

const MOST_WORDS = 8;
const MOST_CHARACTERS = 60;
const UNTITLED = 'New conversation';

/** The title of a thread until a model or the user sets one: the first words of its first message. */
export function draftTitle(text: string): string {
  const words = stripMarkdown(text.slice(0, 2_000)).trim().split(/\s+/);
  const title = cut(words.slice(0, MOST_WORDS).join(' '));
  if (title === '') return UNTITLED;
  return title.length < words.join(' ').length ? `${title}…` : title;
}

function cut(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return text
    .slice(0, MOST_CHARACTERS)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
    .trimEnd();
}

/** The title from a model's answer; empty if the answer is not usable as one. */
export function cleanTitle(answer: string): string {
  const line = answer.split('\n').find((text) => text.trim() !== '') ?? '';
  const bare = stripMarkdown(line)
    .replaceAll('\0', '')
    .replace(/^[\s#*>-]*(?:title\s*:)?/i, '')
    .trim()
    .replace(/^["'“”«*_`]+|["'“”»*_`.]+$/gu, '')
    .trim();
  return cut(bare.toWellFormed());
}
