import type { Account } from './account.ts';
import { Failure } from './failure.ts';

/** The organization that the user signed in to, which the web server's routes need. */
export function organizationOf({ stored }: Account): string {
  const id = stored?.organization?.id;
  if (id === undefined)
    throw new Failure('you are signed in without an organization', {
      next: 'Run: servicectl login --organization <organization>',
    });
  return id;
}
