import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type RunView, runKeys } from './queries.ts';
import { toastDone } from '../../kit/toasts.tsx';
import { startRunStrings as strings } from './strings.ts';

/** Opens a run after it was started. */
export function useOpenStarted(): (run: RunView) => void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return ({ id }) => {
    toastDone(strings.started);
    void queryClient.invalidateQueries({ queryKey: runKeys.lists });
    void navigate({ to: '/runs/$run', params: { run: id } });
  };
}
