import type { Account } from './account.ts';
import { Failure } from './failure.ts';

/** The organization of a sign-in, for what the web server serves. */
export function organizationOf({ stored }: Account): string {
  const id = stored?.organization?.id;
  if (id === undefined)
    throw new Failure('this sign-in names no organization', {
      next: 'Run: servicectl login --organization <organization>',
    });
  return id;
}
