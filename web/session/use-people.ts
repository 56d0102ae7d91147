import { useQuery } from '@tanstack/react-query';
import { organizationPeopleQuery } from './queries.ts';
import { useStanding } from './organization-context.ts';

/** The names of the organization's people by id. Who has left has none any more. */
export function usePeople(): ReadonlyMap<string, string> {
  const { organization } = useStanding();
  const { data = [] } = useQuery(organizationPeopleQuery(organization.id));
  return new Map(data.map(({ user, name }) => [user, name]));
}
