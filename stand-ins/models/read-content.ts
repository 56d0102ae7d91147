// Content is a string or a list of parts. A demo model reads the text and counts the other parts.
import { z } from 'zod';

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

/** The user's own text, without the reminders an agent adds and the passages of a project. */
export function spokenText(value: Content | null | undefined): string {
  return textOf(value)
    .replace(/<system-reminder>[^]*?<\/system-reminder>\s*/g, '')
    .replace(/^passages ([0-9a-f]{16})\n[^]*?\nend of passages \1\s*/, '')
    .trim();
}

export function attachmentsOf(value: Content): number {
  return typeof value === 'string' ? 0 : value.filter(({ type }) => ATTACHMENTS.includes(type)).length;
}
