import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { watchRun } from '../../installed/watched-runs.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { type RunView, runKeys } from './queries.ts';
import { toastDone } from '../../kit/toasts.tsx';
import { startRunStrings as strings } from './strings.ts';

/** Opens a run after it was started. */
export function useOpenStarted(): (run: RunView) => void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { user, organization } = useSignedIn();
  return ({ id }) => {
    toastDone(strings.started);
    watchRun(user.id, { id, organization: organization.id });
    void queryClient.invalidateQueries({ queryKey: runKeys.lists });
    void navigate({ to: '/runs/$run', params: { run: id } });
  };
}
