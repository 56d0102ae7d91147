import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { meQuery } from '../session/me-query.ts';
import { useSessionEnded } from '../session/session-state.ts';
import { onDemand } from '../kit/on-demand.tsx';
import { useProofRequest } from '../session/proof.ts';

const SessionEndedDialog = onDemand(async () => (await import('./session-ended-dialog.tsx')).SessionEndedDialog);

const ProofDialog = onDemand(async () => (await import('./proof-dialog.tsx')).ProofDialog);

export function SignedLayout(): ReactElement {
  const { data } = useQuery(meQuery);
  const ended = useSessionEnded();
  const proof = useProofRequest();
  const first = useRef(data?.user.id);
  // Another tab may have signed in as someone else; this page would then show the wrong person's data.
  useEffect(() => {
    if (data !== undefined && first.current !== undefined && data.user.id !== first.current) window.location.reload();
  }, [data]);
  return (
    <>
      <Outlet />
      {proof !== undefined && <ProofDialog request={proof} />}
      {ended && data !== undefined && <SessionEndedDialog email={data.user.email} />}
    </>
  );
}
