import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { readFault } from '../../api/fault.ts';
import { runKeys } from './queries.ts';
import { runtime } from '../../api/runtime-client.ts';
import { useSignedIn } from '../../session/organization-context.ts';

/**
 * A run's address does not name its organization, and only members of its workspace can see it. A run that is missing
 * here is looked up in the person's other organizations and opened there.
 */
export function useRunElsewhere(id: string, missing: boolean): 'looking' | 'nowhere' {
  const { organization, organizations } = useSignedIn();
  const navigate = useNavigate();
  const others = organizations.filter((each) => each.id !== organization.id);
  const { data, isPending } = useQuery({
    queryKey: [...runKeys.one(id), 'elsewhere', organization.id],
    enabled: missing && others.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    async queryFn({ signal }) {
      for (const { id: other, slug } of others) if (await isThere(other, id, signal)) return slug;
      return null;
    },
  });
  const slug = data ?? undefined;
  useEffect(() => {
    if (missing && slug !== undefined)
      void navigate({
        to: '/runs/$run',
        params: { run: id },
        search: { org: slug, workspace: undefined },
        replace: true,
      });
  }, [missing, slug, id, navigate]);
  return others.length > 0 && (isPending || slug !== undefined) ? 'looking' : 'nowhere';
}

async function isThere(organization: string, id: string, signal: AbortSignal): Promise<boolean> {
  try {
    await runtime.jobs.get({ id }, { context: { organization }, signal });
    return true;
  } catch (error) {
    if (readFault(error).status === 0) throw error;
    return false;
  }
}
