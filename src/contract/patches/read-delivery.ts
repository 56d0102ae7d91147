// What became of a run's commits, as it stands in its result.

export interface RunDelivery {
  readonly branch?: string;
  /** Of the pull request. */
  readonly url?: string;
  /** Why nothing was pushed or, where there is a branch, why there is no pull request. */
  readonly problem?: string;
}

/** Undefined for a run that was not to deliver anything. */
export function readDelivery(result: unknown): RunDelivery | undefined {
  const { delivery } = (typeof result === 'object' && result !== null ? result : {}) as { delivery?: unknown };
  if (typeof delivery !== 'object' || delivery === null) return undefined;
  const { branch, url, problem } = delivery as Readonly<Record<string, unknown>>;
  return {
    ...(typeof branch === 'string' ? { branch } : {}),
    ...(typeof url === 'string' && /^https?:\/\//.test(url) ? { url } : {}),
    ...(typeof problem === 'string' ? { problem } : {}),
  };
}
