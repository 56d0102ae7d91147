// Ways out of a sandbox, one row each. A row prints WORKED when it gets through; the same script without a sandbox is
// the proof that the attempt itself is sound.
import { JUDGED, REFUSED, syscallNumber, type Architecture } from '../../../src/sandbox/seccomp/syscalls.ts';

export interface Attempt {
  readonly name: string;
  readonly script: string;
  /** What the control runs in, so that it changes nothing on the machine. */
  readonly controlIn?: 'mount-namespace' | 'hostname-namespace';
}

const ARCHITECTURE = process.arch as Architecture;
const number = (name: keyof typeof REFUSED | keyof typeof JUDGED): number =>
  syscallNumber({ ...REFUSED, ...JUDGED }[name], ARCHITECTURE) ?? -1;

/** A system call made by perl. `reaches` counts any answer but a plain refusal: for calls that must never succeed anywhere. */
function call(
  name: keyof typeof REFUSED | keyof typeof JUDGED,
  args: string,
  options: { before?: string; reaches?: true } = {},
): string {
  const worked = options.reaches ? '$r >= 0 || $! != 1' : '$r >= 0';
  // A call that makes a process returns twice; only the first of the two may speak.
  return `perl -e '$p = $$; ${options.before ?? ''} my $r = syscall(${number(name)}, ${args}); exit 0 if $$ != $p; print(${worked} ? "WORKED" : "refused: $!")'`;
}

const CLONE_NEWUSER = 0x10000000;
const CLONE_NEWNS = 0x00020000;
const CLONE_NEWNET = 0x40000000;

/** Set by the test: PLANTED a file of the machine, CONTROLLER and VICTIM process numbers, PORT a service on the loopback, ABSTRACT the name of an abstract socket, SOCKET the controller's own, NEIGHBOUR the directory of all sandboxes, KEPT what is kept of a run. */
export const ATTEMPTS: readonly Attempt[] = [
  { name: 'read the passwords of the machine', script: 'head -c 4 /etc/shadow && echo WORKED' },
  { name: "list root's home", script: 'ls /root && echo WORKED' },
  { name: 'read a file of the machine', script: 'cat "$PLANTED" && echo WORKED' },
  { name: 'read what is kept of the workspace of another run', script: 'cat "$KEPT/manifest.json" && echo WORKED' },
  { name: 'write into what is kept of another run', script: 'echo more >"$KEPT/snap_planted" && echo WORKED' },
  { name: 'list the directory of all sandboxes', script: 'ls "$NEIGHBOUR" && echo WORKED' },
  {
    name: 'open the socket of the controller',
    script: 'perl -MIO::Socket::UNIX -e \'print "WORKED" if IO::Socket::UNIX->new(Peer => $ENV{SOCKET})\'',
  },
  { name: 'write beneath /usr', script: 'touch /usr/share/.attempt && rm /usr/share/.attempt && echo WORKED' },
  { name: 'write into the root directory', script: 'touch /.attempt && rm /.attempt && echo WORKED' },
  { name: 'open /etc/passwd for writing', script: ': >>/etc/passwd && echo WORKED' },
  { name: 'write into /dev', script: 'touch /dev/.attempt && rm /dev/.attempt && echo WORKED' },
  { name: 'make a device node', script: 'd=$(mktemp -d); mknod "$d/null" c 1 3 && rm -r "$d" && echo WORKED' },
  { name: 'give a file to root', script: 'f=$(mktemp); chown 0:0 "$f" && rm "$f" && echo WORKED' },
  { name: 'become root', script: 'perl -e \'$> = 0; $< = 0; print "WORKED" if $> == 0\'' },
  { name: 'raise its own priority', script: 'perl -e \'print "WORKED" if setpriority(0, 0, -5)\'' },
  {
    name: 'read the environment of the controller',
    script: 'tr "\\0" "\\n" <"/proc/$CONTROLLER/environ" | grep -q SERVICE_DATA_DIR && echo WORKED',
  },
  {
    name: 'see a process of the machine',
    script: '[[ $(tr "\\0" " " <"/proc/$VICTIM/cmdline") == *sleep* ]] && echo WORKED',
  },
  {
    name: 'signal a process of the machine',
    script: 'kill -CONT "$VICTIM" && [[ $(tr "\\0" " " <"/proc/$VICTIM/cmdline") == *sleep* ]] && echo WORKED',
  },
  {
    name: 'change a setting of the kernel',
    script: 'v=$(cat /proc/sys/kernel/core_pattern); printf %s "$v" >/proc/sys/kernel/core_pattern && echo WORKED',
  },
  { name: 'read /sys', script: 'ls /sys/kernel && echo WORKED' },
  {
    name: 'leave its cgroup',
    script:
      'for f in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/pids/cgroup.procs; do [[ -e $f ]] && bash -c "echo \\$\\$ >$f" && echo WORKED && break; done',
  },
  {
    name: 'reach a service on the loopback of the machine',
    script: 'exec 3<>"/dev/tcp/127.0.0.1/$PORT" && echo WORKED',
  },
  {
    name: 'reach an abstract socket of the machine',
    script:
      'perl -MSocket -e \'socket(my $s, AF_UNIX, SOCK_STREAM, 0); print "WORKED" if connect($s, pack_sockaddr_un("\\0" . $ENV{ABSTRACT}))\'',
  },
  {
    name: 'see the network interfaces of the machine',
    script: '[[ $(grep -c : /proc/net/dev) -gt 1 ]] && echo WORKED',
  },
  {
    name: 'mount a file system',
    script: call('mount', '$a, $b, $c, 0, 0', { before: '$a = "none"; $b = "/tmp"; $c = "tmpfs";' }),
    controlIn: 'mount-namespace',
  },
  {
    name: 'unmount /proc',
    script: call('umount2', '$a, 2', { before: '$a = "/proc";' }),
    controlIn: 'mount-namespace',
  },
  {
    name: 'make /usr writable again',
    script: call('mount', '$a, $b, $a, 4128, 0', { before: '$a = "none"; $b = "/usr";' }).replace(
      '$b = "/usr";',
      '$b = "/usr"; syscall(' + number('mount') + ', $b, $b, $a, 4096, 0);',
    ),
    controlIn: 'mount-namespace',
  },
  { name: 'open a file system without mounting it', script: call('fsopen', '$a, 0', { before: '$a = "tmpfs";' }) },
  { name: 'take a copy of the mount tree', script: call('open_tree', '-100, $a, 1', { before: '$a = "/";' }) },
  { name: 'change its root', script: call('chroot', '$a', { before: '$a = "/";' }), controlIn: 'mount-namespace' },
  {
    name: 'name a file by handle',
    script: call('name_to_handle_at', '-100, $a, $h, $m, 0', {
      before: '$a = "/usr"; $h = pack("LL", 128, 0) . ("\\0" x 128); $m = "\\0" x 8;',
    }),
  },
  { name: 'make a user namespace', script: call('unshare', String(CLONE_NEWUSER)) },
  { name: 'make a mount namespace', script: call('unshare', String(CLONE_NEWNS)) },
  { name: 'make a network namespace', script: call('unshare', String(CLONE_NEWNET)) },
  { name: 'start a process in a user namespace', script: call('clone', `${CLONE_NEWUSER | 17}, 0, 0, 0, 0`) },
  {
    name: 'join a namespace',
    script: call('setns', 'fileno($f), 0', { before: 'open(my $f, "<", "/proc/self/ns/net") or die;' }),
  },
  { name: 'trace a process', script: call('ptrace', '0, 0, 0, 0') },
  {
    name: 'read the memory of a process',
    script: call('process_vm_readv', '$$, $l, 1, $l, 1, 0', { before: '$b = "x" x 8; $l = pack("PQ", $b, 8);' }),
  },
  { name: 'take a descriptor of another process', script: call('pidfd_getfd', 'syscall(434, $$, 0), 0, 0') },
  { name: 'use the kernel keyring', script: call('keyctl', '0, -3, 1') },
  {
    name: 'load a program into the kernel',
    script: call('bpf', '0, $a, length($a)', { before: '$a = pack("LLLL", 2, 4, 8, 1) . ("\\0" x 56);' }),
  },
  {
    name: 'count events of the kernel',
    script: call('perf_event_open', '$a, 0, -1, -1, 0', { before: '$a = pack("LLQ", 1, 112, 0) . ("\\0" x 96);' }),
  },
  { name: 'handle page faults itself', script: call('userfaultfd', '0') },
  { name: 'open an io_uring', script: call('io_uring_setup', '1, $a', { before: '$a = "\\0" x 120;' }) },
  { name: 'watch the file system', script: call('fanotify_init', '0, 0') },
  { name: 'read the log of the kernel', script: call('syslog', '10, 0, 0') },
  { name: 'ask for the clock discipline', script: call('adjtimex', '$a', { before: '$a = "\\0" x 256;' }) },
  {
    name: 'rename the machine',
    script: call('sethostname', '$a, 4', { before: '$a = "evil";' }),
    controlIn: 'hostname-namespace',
  },
  { name: 'turn address randomisation off', script: call('personality', '0x40000') },
  {
    name: 'reach for a swap file',
    script: call('swapon', '$a, 0', { before: '$a = "/nonexistent/swap";', reaches: true }),
  },
  {
    name: 'reach for process accounting',
    script: call('acct', '$a', { before: '$a = "/nonexistent/acct";', reaches: true }),
  },
  { name: 'reach for a restart of the machine', script: call('reboot', '0, 0, 0, 0', { reaches: true }) },
  { name: 'reach for another kernel', script: call('kexec_load', '0, 0, 0, 0xffffff', { reaches: true }) },
  {
    name: 'reach for a kernel module',
    script: call('delete_module', '$a, 0', { before: '$a = "no_such_module_here";', reaches: true }),
  },
  { name: 'open a socket to the hypervisor', script: call('socket', '40, 1, 0') },
  { name: 'open a packet socket', script: call('socket', '17, 3, 0') },
  { name: 'open a raw socket', script: call('socket', '2, 3, 1') },
  { name: 'open a socket to kernel cryptography', script: call('socket', '38, 5, 0') },
  { name: 'open a socket to the packet filter', script: call('socket', '16, 3, 12') },
  { name: 'open a socket to the audit system', script: call('socket', '16, 3, 9') },
];

/** The same as root in new namespaces. */
export function asNamespaceRoot({ script }: Attempt): string {
  return `unshare --user --map-root-user --mount --net --uts --ipc bash --norc <<'CONTROL'\n${script}\nCONTROL`;
}

export function controlScript({ script, controlIn }: Attempt): string {
  if (controlIn === undefined) return script;
  return `unshare ${controlIn === 'mount-namespace' ? '--mount' : '--uts'} bash --norc <<'CONTROL'\n${script}\nCONTROL`;
}
