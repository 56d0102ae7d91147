/** Counts what a run uses of one way out. Once spent, it stays spent. */
export interface Budget {
  takeRequest(): boolean;
  takeBytes(count: number): boolean;
}

export function createBudget({ maxRequests, maxBytes }: { maxRequests: number; maxBytes: number }): Budget {
  let requests = 0;
  let bytes = 0;
  return {
    takeRequest: () => requests < maxRequests && bytes < maxBytes && ++requests > 0,
    takeBytes: (count) => (bytes += count) <= maxBytes,
  };
}
