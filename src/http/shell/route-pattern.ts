/** A path of the contract in the notation of the router, the log and the metrics. */
export function routePattern(path: string | undefined): string {
  return path === undefined ? 'unknown' : path.replaceAll(/\{\+?(\w+)\}/g, ':$1');
}
