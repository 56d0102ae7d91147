import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { describeSteps, type Step } from '../describe-steps.ts';
import { runEventsQuery } from '../queries.ts';

/** The steps of a run. One that has not changed stays the same object, so that its row is not drawn again. */
export function useSteps(organization: string, id: string): UseQueryResult<readonly Step[]> {
  return useQuery({ ...runEventsQuery(organization, id), select: describeSteps });
}
