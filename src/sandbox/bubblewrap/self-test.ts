// A look from inside: the script reports what a sandbox holds, the table says what it must report.
export const SELF_TEST = [
  '/bin/bash',
  '--noprofile',
  '--norc',
  '-c',
  `while read -r key value; do case $key in CapEff:|CapBnd:|CapPrm:|NoNewPrivs:|Seccomp:) echo "$key $value";; esac; done </proc/self/status
echo "uid: $UID"
if [[ -s /proc/1/environ ]]; then echo 'environ: shown'; else echo 'environ: empty'; fi
if : 2>/dev/null </etc/shadow; then echo 'shadow: read'; else echo 'shadow: hidden'; fi
if : 2>/dev/null >/probe; then echo 'root: writable'; else echo 'root: sealed'; fi
if : 2>/dev/null >/workspace/probe; then echo 'workspace: writable'; else echo 'workspace: sealed'; fi
interfaces=0; while read -r line; do [[ $line == *:* && $line != lo:* ]] && interfaces=1; done </proc/net/dev; echo "interfaces: $interfaces"`,
] as const;

const EXPECTED = {
  CapEff: '0000000000000000',
  CapPrm: '0000000000000000',
  CapBnd: '0000000000000000',
  NoNewPrivs: '1',
  Seccomp: '2',
  uid: '1000',
  environ: 'empty',
  shadow: 'hidden',
  root: 'sealed',
  workspace: 'writable',
  interfaces: '0',
} as const;

/** The checks that failed, in the words of the table. */
export function findWeaknesses(report: string): string[] {
  const seen = new Map(report.split('\n').map((line) => line.split(/:\s+/) as [string, string | undefined]));
  return Object.entries(EXPECTED)
    .filter(([name, value]) => seen.get(name) !== value)
    .map(([name, value]) => `${name} is ${seen.get(name) ?? 'unknown'} instead of ${value}`);
}
