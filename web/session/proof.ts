// What changes how someone gets in asks for a fresh proof of who they are. A call that the server refuses for that waits
// for the dialog and is repeated.
import { useSyncExternalStore } from 'react';
import { isServerError } from '../api/server-error.ts';

export interface ProofRequest {
  /** How the session began: one of the OpenID provider is renewed there. */
  readonly method: string;
  /** Whether they proved it. */
  readonly answer: (proven: boolean) => void;
}

let request: ProofRequest | undefined;
const listeners = new Set<() => void>();

function show(next: ProofRequest | undefined): void {
  request = next;
  for (const listener of listeners) listener();
}

/** Repeats the call once the person has proved who they are; without that it fails as it did. */
export async function withProof<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isServerError(error) || error.code !== 'proof_required') throw error;
    const { details } = (error.data ?? {}) as { details?: { method?: string } };
    const proven = await new Promise<boolean>((resolve) => {
      request?.answer(false);
      const answer = (isProven: boolean): void => {
        show(undefined);
        resolve(isProven);
      };
      show({ method: details?.method ?? 'password', answer });
    });
    if (!proven) throw error;
    return call();
  }
}

export function useProofRequest(): ProofRequest | undefined {
  return useSyncExternalStore(subscribe, current, current);
}

const current = (): ProofRequest | undefined => request;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
