// Why containers cannot be built and run on this machine, in words that say what to do; undefined where they can.
import { existsSync } from 'node:fs';
import { run } from './engine.ts';

/** Program, or one of the places where it is kept, and the Debian package that has it. */
const PROGRAMS: readonly { readonly files: readonly string[]; readonly package: string }[] = [
  { files: ['/usr/bin/podman'], package: 'podman' },
  { files: ['/usr/bin/buildah'], package: 'buildah' },
  { files: ['/usr/sbin/debootstrap'], package: 'debootstrap' },
  { files: ['/usr/bin/mmdebstrap'], package: 'mmdebstrap' },
  { files: ['/usr/bin/runc', '/usr/sbin/runc'], package: 'runc' },
  { files: ['/usr/lib/podman/netavark', '/usr/libexec/podman/netavark'], package: 'netavark' },
  { files: ['/usr/lib/podman/aardvark-dns', '/usr/libexec/podman/aardvark-dns'], package: 'aardvark-dns' },
  { files: ['/usr/bin/catatonit', '/usr/libexec/podman/catatonit'], package: 'catatonit' },
  { files: ['/usr/sbin/iptables', '/sbin/iptables'], package: 'iptables' },
  { files: ['/usr/sbin/ip', '/sbin/ip', '/bin/ip'], package: 'iproute2' },
];

export function missingPackages(): string[] {
  return PROGRAMS.filter(({ files }) => !files.some((file) => existsSync(file))).map((program) => program.package);
}

export function findMissing(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux';
  if (process.getuid?.() !== 0)
    return 'needs root: debootstrap makes device files and owners, and the sandbox container is privileged';
  const packages = missingPackages();
  if (packages.length > 0) return `needs the Debian packages ${packages.join(', ')}`;
  if (run('unshare', ownNetwork(['true'])).status !== 0)
    return 'the kernel does not allow network and mount namespaces';
  return undefined;
}

/** Whether a container of this image runs as the compose file's do: with limits, on a network of its own. */
export function findRunFault(image: string): string | undefined {
  const tried = [
    'podman network create --internal tried',
    `podman run --rm --network tried --memory 64m --cpus 1 --init --cap-drop ALL --read-only ${image} true`,
  ].join(' && ');
  const { status, stderr } = inOwnNetwork(['sh', '-c', tried]);
  run('podman', ['network', 'rm', '--force', 'tried']);
  return status === 0 ? undefined : `podman cannot run a container here: ${stderr.trim().split('\n').at(-1)}`;
}

/**
 * The whole set is in a network namespace: its ports, bridges and rules are not the machine's. The engine keeps the
 * state of its name server in one place whatever its configuration says, so that place is the set's own too.
 */
function inOwnNetwork(argv: readonly string[]): ReturnType<typeof run> {
  return run('unshare', ownNetwork(argv));
}

export function ownNetwork(argv: readonly string[]): string[] {
  return [
    '--net',
    '--mount',
    'sh',
    '-c',
    'ip link set lo up && mkdir -p /run/containers && mount -t tmpfs tmpfs /run/containers && exec "$@"',
    'own-network',
    ...argv,
  ];
}
