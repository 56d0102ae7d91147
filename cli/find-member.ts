import type { WebClient } from './api/typed-clients.ts';
import { Failure } from './failure.ts';
import { listAll } from './list-all.ts';
import type { Member } from '../src/contract/organizations.ts';
import type { Role } from '../src/contract/common.ts';

/** The same as in src/contract/common.ts, which is loaded only on demand. */
export const ROLES = ['owner', 'admin', 'member'] as const satisfies readonly Role[];

export function listMembers({ organizations }: WebClient, org: string): Promise<Member[]> {
  return listAll(
    (cursor) => organizations.members.list({ org, limit: 200, ...cursor }),
    ({ members }) => members,
  );
}

/** By email address or ID. */
export function findMember(members: readonly Member[], wanted: string, where = 'this organization'): Member {
  const found = members.find(({ user, email }) => user === wanted || email.toLowerCase() === wanted.toLowerCase());
  if (found) return found;
  throw new Failure(`there is no such member of ${where}`, {
    error: 'member_not_found',
    next: 'Use an email address or ID. To see the members, run: servicectl members',
  });
}
