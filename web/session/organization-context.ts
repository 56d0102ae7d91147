import { createContext, useContext } from 'react';
import type { Organization } from '../../src/contract/organizations.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export interface Standing {
  readonly user: Person;
  readonly organization: Organization;
  readonly organizations: readonly Organization[];
  /** Demo model providers answer here. */
  readonly demo: boolean;
}

export const StandingContext = createContext<Standing | undefined>(undefined);

/** Who is here, and in which organization this tab stands. */
export function useStanding(): Standing {
  const standing = useContext(StandingContext);
  if (standing === undefined) throw new Error('this part of the page needs an organization around it');
  return standing;
}

export function managesOrganization({ role }: Organization): boolean {
  return role === 'owner' || role === 'admin';
}
