// What the link of a shared thread shows.
import { z } from 'zod';
import { route } from './authority.ts';
import { id, served, timestamp } from './common.ts';
import { message, messageSource } from './threads.ts';

/** A source by its number and name: its text and its file stay with the project. */
const sharedSource = messageSource.pick({ number: true, name: true });
export type SharedSource = z.infer<typeof sharedSource>;

/** Without reasoning, costs and the credential that paid. */
export const sharedMessage = message
  .omit({ metadata: true, feedback: true })
  .extend({ model: z.string().optional(), served, sources: z.array(sharedSource).optional() });
export type SharedMessage = z.infer<typeof sharedMessage>;

const sharedThread = z.object({
  id,
  title: z.string(),
  organization: id,
  workspace: id,
  /** The name of the person who shared it. */
  sharedBy: z.string(),
  /** When the copy was made. */
  updatedAt: timestamp,
  messages: z.array(sharedMessage),
});
export type SharedThread = z.infer<typeof sharedThread>;

export const shares = {
  show: route('database', 'shared')
    .route({
      method: 'GET',
      path: '/api/shares/{share}',
      tags: ['Chat'],
      summary: 'A shared thread and its latest messages; `before` pages back',
      description:
        'Attachments and sources are named, but cannot be opened. A page ends at 1 MiB; of a message over 64 KiB it has the beginning and `wholeBytes`, and the whole is at /api/shares/{share}/messages/{message}.',
    })
    .input(
      z.strictObject({
        share: id,
        before: z.coerce.number().int().min(0).optional(),
        limit: z.coerce.number().int().min(1).max(200).optional(),
      }),
    )
    .output(z.object({ share: sharedThread, before: z.number().int().optional() })),
};
