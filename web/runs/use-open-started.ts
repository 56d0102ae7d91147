import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Run, runKeys } from '../api/runs.ts';
import { toastDone } from '../parts/toasts.tsx';
import { startRunStrings as strings } from '../strings/runs.ts';

/** What follows when a run was started: the person is taken to it. */
export function useOpenStarted(): (run: Run) => void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return ({ id }) => {
    toastDone(strings.started);
    void queryClient.invalidateQueries({ queryKey: runKeys.lists });
    void navigate({ to: '/runs/$run', params: { run: id } });
  };
}
