// Content is a string or a list of parts. A demo model reads the text and counts the other parts.
import { z } from 'zod';
import type { Item } from './demo-request.ts';

export const content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]);
export type Content = z.output<typeof content>;

const ATTACHMENTS = ['image_url', 'input_image', 'image', 'input_audio', 'file', 'input_file', 'document'];

export function textOf(value: Content | null | undefined): string {
  if (value === null || value === undefined || typeof value === 'string') return value ?? '';
  return value
    .map((part) => (typeof part.text === 'string' ? part.text : ''))
    .filter(Boolean)
    .join('\n');
}

const REMINDER = /<system-reminder>([^]*?)<\/system-reminder>\s*/g;

/** What an agent adds to the user's text is apart from it: some agents say there where they work. */
export function userItem(value: Content): Extract<Item, { kind: 'user' }> {
  const reminders = [...textOf(value).matchAll(REMINDER)].map(([, text = '']) => text).join('\n');
  return { kind: 'user', text: spokenText(value), attachments: attachmentsOf(value), ...(reminders && { reminders }) };
}

/** The user's own text, without the reminders an agent adds and the passages of a project. */
export function spokenText(value: Content | null | undefined): string {
  return textOf(value)
    .replace(REMINDER, '')
    .replace(/^passages ([0-9a-f]{16})\n[^]*?\nend of passages \1\s*/, '')
    .trim();
}

function attachmentsOf(value: Content): number {
  return typeof value === 'string' ? 0 : value.filter(({ type }) => ATTACHMENTS.includes(type)).length;
}
