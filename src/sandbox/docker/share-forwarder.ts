// Commands of a container share its loopback, so they share one forwarder to the egress proxy: the first one starts it,
// and so does the next one after all processes were killed.
import { behindForwarder, EGRESS_ENVIRONMENT } from '../egress/inside.ts';

const { hostname, port } = new URL(EGRESS_ENVIRONMENT.HTTP_PROXY);

/** Two commands may start it at once: one of them fails, and uses the other's. */
const SHARE = `listens() { (exec 3<>/dev/tcp/${hostname}/${port}) 2>/dev/null; }
count=$1; shift
listens || "\${@:1:count}" 2>/dev/null || listens || { echo 'the egress forwarder did not start' >&2; exit 125; }
shift "$count"
exec "$@"`;

export function behindSharedForwarder(node: string, argv: readonly string[]): string[] {
  const start = behindForwarder(node, ['/bin/true']);
  return ['/bin/bash', '--noprofile', '--norc', '-c', SHARE, 'egress', String(start.length), ...start, ...argv];
}
