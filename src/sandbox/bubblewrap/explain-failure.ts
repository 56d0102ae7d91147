// What bubblewrap says when a machine does not let it work, and what an operator does about it.
const EXPLANATIONS: readonly { readonly says: RegExp; readonly reason: string; readonly fix: string }[] = [
  {
    says: /uid map|gid map|RTM_NEWADDR|new namespace|Creating new namespace|clone.*Operation not permitted|user namespaces/i,
    reason: 'the kernel does not let bubblewrap make user namespaces',
    fix: 'allow them: sysctl -w kernel.unprivileged_userns_clone=1 (Debian), an AppArmor profile for bwrap or sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu 24.04), --security-opt seccomp=unconfined --security-opt apparmor=unconfined (Docker)',
  },
  {
    says: /mount proc/i,
    reason: 'bubblewrap cannot mount a /proc of its own, as in a container that hides parts of /proc',
    fix: 'start the container with --security-opt systempaths=unconfined, or run the controller on the machine itself',
  },
  {
    says: /seccomp/i,
    reason: 'the kernel does not take a seccomp filter',
    fix: 'use a kernel with CONFIG_SECCOMP_FILTER',
  },
];

export function explainFailure(stderr: string): { reason: string; fix: string } {
  const known = EXPLANATIONS.find(({ says }) => says.test(stderr));
  if (known !== undefined) return { reason: known.reason, fix: known.fix };
  const line = stderr.trim().split('\n')[0] ?? '';
  return { reason: `bubblewrap does not start${line === '' ? '' : ` (${line.slice(0, 200)})`}`, fix: 'see docs/operators/sandbox.md, or choose another driver with SERVICE_SANDBOX_DRIVER' };
}
