// Leaving: a person deletes their account, an owner deletes an organization, or brings it back in time.
import { z } from 'zod';
import { route } from '../authority.ts';
import { done, id, name, timestamp } from '../common.ts';

/** An organization that answers nothing: its operator paused it, or an owner deleted it. */
export const shutOrganization = z.discriminatedUnion('state', [
  z.object({ id, slug: z.string(), name: z.string(), state: z.literal('paused') }),
  z.object({
    id,
    slug: z.string(),
    name: z.string(),
    state: z.literal('deleted'),
    deletedAt: timestamp,
    /** Until then its owners can bring it back. */
    erasedAt: timestamp,
  }),
]);
export type ShutOrganization = z.infer<typeof shutOrganization>;

export const leaving = {
  person: route('database', 'signed-in')
    .route({
      method: 'DELETE',
      path: '/api/me',
      tags: ['People'],
      summary: 'Delete the account of the signed-in person',
      description:
        'Ends every session, token, approved client, stream and run at once; what the account holds is erased within minutes. Asks for a fresh proof of who it is (403 `proof_required`). 409 `last_owner` names the organizations whose only owner the person is.',
    })
    .output(done),
  organization: route('database', 'organization:owner')
    .route({
      method: 'DELETE',
      path: '/api/organizations/{org}',
      tags: ['People'],
      summary: 'Delete an organization',
      description:
        'Its members find it gone at once, its tokens open nothing, its streams and runs end. Its owners can bring it back until `erasedAt`; then it is erased. Asks for its name, and for a fresh proof of who it is (403 `proof_required`).',
    })
    .input(z.strictObject({ org: id, name }))
    .output(z.object({ organization: z.object({ id, erasedAt: timestamp }) })),
  restore: route('database', 'organization:restore')
    .route({
      method: 'POST',
      path: '/api/organizations/{org}/restore',
      tags: ['People'],
      summary: 'Bring a deleted organization back, until it is erased',
    })
    .input(z.strictObject({ org: id }))
    .output(done),
};
