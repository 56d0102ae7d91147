// A thread's link: its owner makes it, brings it up to date and takes it back. What the link shows is in shares.ts.
import { z } from 'zod';
import { route } from './authority.ts';
import { done, id, timestamp } from './common.ts';

export const ownShare = z.object({
  /** The last part of the link, `/shared/{id}`. */
  id,
  createdAt: timestamp,
  /** When the copy was made that the link shows. */
  updatedAt: timestamp,
  /** How many messages the copy has. */
  messages: z.number().int(),
});
export type OwnShare = z.infer<typeof ownShare>;

export const shareOfThread = {
  show: route('database', 'own')
    .route({ method: 'GET', path: '/api/threads/{thread}/share', tags: ['Chat'], summary: "A thread's link" })
    .input(z.strictObject({ thread: id }))
    .output(
      z.object({
        share: ownShare.optional(),
        /** Why a link cannot be made or opened now. */
        blocked: z.enum(['sharing_disabled', 'workspace_membership_required']).optional(),
      }),
    ),
  save: route('database', 'own')
    .route({
      method: 'PUT',
      path: '/api/threads/{thread}/share',
      tags: ['Chat'],
      summary: 'Share a thread with its workspace by a link',
      description:
        'Members of the workspace who have the link can read a copy of the conversation as it is now. Another call brings the copy up to date under the same link.',
    })
    .input(z.strictObject({ thread: id }))
    .output(z.object({ share: ownShare })),
  remove: route('database', 'own')
    .route({
      method: 'DELETE',
      path: '/api/threads/{thread}/share',
      tags: ['Chat'],
      summary: "Take a thread's link back",
      description: 'The link stops working at once, for good: sharing the thread again makes another one.',
    })
    .input(z.strictObject({ thread: id }))
    .output(done),
};
