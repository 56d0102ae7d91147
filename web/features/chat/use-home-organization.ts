import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useStanding } from '../../session/organization-context.ts';

/**
 * A chat address does not name its organization: a chat of another organization of the person is opened there. True
 * until it is.
 */
export function useHomeOrganization(thread: string | undefined, home: string | undefined): boolean {
  const { organization, organizations } = useStanding();
  const navigate = useNavigate();
  const elsewhere =
    home === undefined || home === organization.id ? undefined : organizations.find(({ id }) => id === home)?.slug;
  useEffect(() => {
    if (thread !== undefined && elsewhere !== undefined)
      void navigate({
        to: '/chat/$thread',
        params: { thread },
        search: { org: elsewhere, workspace: undefined },
        replace: true,
      });
  }, [thread, elsewhere, navigate]);
  return elsewhere !== undefined;
}
