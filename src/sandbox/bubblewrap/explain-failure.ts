// What bubblewrap reports when the machine does not let it work, and what to do about it. User namespaces are forbidden
// in several ways that look alike to bubblewrap; kernel settings tell them apart.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

export interface Explained {
  readonly reason: string;
  readonly fix: string;
}

export interface KernelSwitches {
  /** Ubuntu: only programs whose AppArmor profile allows it may create user namespaces. */
  readonly appArmorRule: boolean;
  /** Debian: unprivileged users may not. */
  readonly cloneForbidden: boolean;
  /** No one may: user.max_user_namespaces is 0. */
  readonly noneLeft: boolean;
  readonly container: boolean;
}

const NAMESPACES = /uid map|gid map|RTM_NEWADDR|new namespace|clone.*Operation not permitted|user namespaces/i;

/** The first one that is set is the explanation. */
const FORBIDDEN: readonly (Explained & { readonly by: keyof KernelSwitches })[] = [
  {
    by: 'noneLeft',
    reason: 'the kernel allows no user namespaces (user.max_user_namespaces is 0)',
    fix: 'sudo sysctl -w user.max_user_namespaces=15000',
  },
  {
    by: 'cloneForbidden',
    reason: 'the kernel lets only root create user namespaces (kernel.unprivileged_userns_clone is 0)',
    fix: 'sudo sysctl -w kernel.unprivileged_userns_clone=1',
  },
  {
    by: 'appArmorRule',
    reason:
      'AppArmor prevents bubblewrap from creating user namespaces (kernel.apparmor_restrict_unprivileged_userns is 1, as on Ubuntu since 24.04)',
    fix: 'install an AppArmor profile for bwrap that allows userns (docs/operators/sandbox.md has one), or sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
  },
  {
    by: 'container',
    reason: 'this container does not allow user namespaces',
    fix: 'start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined, or run the controller on the machine itself',
  },
];

const OTHERS: readonly (Explained & { readonly says: RegExp })[] = [
  {
    says: NAMESPACES,
    reason: 'the kernel does not let bubblewrap create user namespaces',
    fix: 'allow unprivileged user namespaces, or run the controller as root; see docs/operators/sandbox.md',
  },
  {
    says: /mount proc/i,
    reason: 'bubblewrap cannot mount its own /proc, as in a container that hides parts of /proc',
    fix: 'start the container with --security-opt systempaths=unconfined, or run the controller on the machine itself',
  },
  {
    says: /seccomp/i,
    reason: 'the kernel does not accept a seccomp filter',
    fix: 'use a kernel with CONFIG_SECCOMP_FILTER',
  },
];

export function explainFailure(stderr: string, switches: KernelSwitches): Explained {
  const known =
    (NAMESPACES.test(stderr) ? FORBIDDEN.find(({ by }) => switches[by]) : undefined) ??
    OTHERS.find(({ says }) => says.test(stderr));
  if (known !== undefined) return { reason: known.reason, fix: known.fix };
  const line = stderr.trim().split('\n')[0] ?? '';
  return {
    reason: `bubblewrap does not start${line === '' ? '' : ` (${line.slice(0, 200)})`}`,
    fix: 'see docs/operators/sandbox.md, or choose another driver with SERVICE_SANDBOX_DRIVER',
  };
}

export async function readKernelSwitches(): Promise<KernelSwitches> {
  const read = async (name: string): Promise<string> =>
    (await readFile(`/proc/sys/${name}`, 'utf8').catch(() => '')).trim();
  return {
    appArmorRule: (await read('kernel/apparmor_restrict_unprivileged_userns')) === '1',
    cloneForbidden: (await read('kernel/unprivileged_userns_clone')) === '0',
    noneLeft: (await read('user/max_user_namespaces')) === '0',
    container: ['/.dockerenv', '/run/.containerenv'].some((path) => existsSync(path)),
  };
}
