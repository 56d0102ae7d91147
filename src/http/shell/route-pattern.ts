/** A path of the contract as the router, the log and the metrics write it. */
export function routePattern(path: string | undefined): string {
  return path === undefined ? 'unknown' : path.replaceAll(/\{\+?(\w+)\}/g, ':$1');
}
