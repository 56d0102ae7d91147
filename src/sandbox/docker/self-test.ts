// A look from inside a container: the script reports what it holds, the table says what it must report. An engine may
// accept an option and not keep it, with no more than a warning.
import type { SandboxLimits } from '../limits.ts';
import { EGRESS_MOUNT, EGRESS_SOCKET } from '../egress/inside.ts';

const SCRIPT = `while read -r key value rest; do case $key in CapEff:|CapPrm:|CapBnd:|NoNewPrivs:|Seccomp:) echo "$key $value";; esac; done </proc/self/status
echo "uid: $(id -u)"
echo "written: $(for place in / /etc /run /run/lock /var/tmp /usr; do (: >"$place/.probe") 2>/dev/null && printf '%s ' "$place"; done)"
echo "sealed: $(for place in /workspace /tmp /home/agent /dev/shm; do (: >"$place/.probe") 2>/dev/null || printf '%s ' "$place"; done)"
echo "routes: $(cat /proc/net/route /proc/net/ipv6_route 2>/dev/null | while read -r line; do case $line in Iface*|lo*|*' lo') ;; *) printf 'one ';; esac; done)"
echo "memory: $(cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null)"
echo "processes: $(cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max 2>/dev/null)"
echo "egress: $("$1" -e "$2")"`;

const CONNECT = `require('node:net').connect('${EGRESS_MOUNT}/${EGRESS_SOCKET}').once('connect', () => { console.log('open'); process.exit(); }).once('error', ({ code }) => console.log(code))`;

export function selfTest(node: string): string[] {
  return ['sh', '-c', SCRIPT, 'probe', node, CONNECT];
}

const NONE = '0000000000000000';
const EXPECTED = {
  CapEff: NONE,
  CapPrm: NONE,
  CapBnd: NONE,
  NoNewPrivs: '1',
  Seccomp: '2',
  uid: '1000',
  written: '',
  sealed: '',
  routes: '',
} as const;
/** gVisor's kernel has its own filters and cgroups, and does not show them. */
const HIDDEN_BY_GVISOR = ['NoNewPrivs', 'Seccomp'];

export interface Expectation {
  readonly limits: SandboxLimits;
  readonly ownKernel: boolean;
}

export interface Findings {
  /** The checks that failed. */
  readonly weaknesses: string[];
  /** 'open', or the error code a run gets when it connects to the proxy. */
  readonly egress: string;
}

export function readSelfTest(report: string, { limits, ownKernel }: Expectation): Findings {
  const seen = new Map(
    report.split('\n').map((line) => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  );
  const weaknesses = Object.entries(EXPECTED)
    .filter(([name, value]) => !(ownKernel && HIDDEN_BY_GVISOR.includes(name)) && seen.get(name) !== value)
    .map(([name, value]) => `${name} is ${seen.get(name) ?? 'unknown'} instead of ${value === '' ? 'none' : value}`);
  if (!ownKernel && !isLimited(seen.get('memory'), limits.memoryBytes)) weaknesses.push('memory is not limited');
  if (!ownKernel && !isLimited(seen.get('processes'), limits.processes)) weaknesses.push('processes are not limited');
  return { weaknesses, egress: seen.get('egress') ?? 'unknown' };
}

/** The kernel rounds to whole pages. */
function isLimited(figure: string | undefined, limit: number): boolean {
  return figure !== undefined && /^\d+$/.test(figure) && Number(figure) <= limit;
}
