// System calls that no run needs and that reach into the kernel, other processes or the machine. Numbers by
// architecture; null where an architecture does not have the call.
export const ARCHITECTURES = {
  arm64: { audit: 0xc00000b7, column: 0 },
  x64: { audit: 0xc000003e, column: 1 },
} as const;

export type Architecture = keyof typeof ARCHITECTURES;
type Numbers = readonly [arm64: number | null, x64: number | null];

/** Refused whatever their arguments. */
export const REFUSED = {
  // Mounts and the view of the file system.
  mount: [40, 165],
  umount2: [39, 166],
  pivot_root: [41, 155],
  chroot: [51, 161],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  move_mount: [429, 429],
  open_tree: [428, 428],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  name_to_handle_at: [264, 303],
  open_by_handle_at: [265, 304],
  quotactl: [60, 179],
  quotactl_fd: [443, 443],
  swapon: [224, 167],
  swapoff: [225, 168],
  // Other processes.
  ptrace: [117, 101],
  process_vm_readv: [270, 310],
  process_vm_writev: [271, 311],
  kcmp: [272, 312],
  pidfd_getfd: [438, 438],
  setns: [268, 308],
  process_madvise: [440, 440],
  move_pages: [239, 279],
  migrate_pages: [238, 256],
  // Large and young surfaces of the kernel.
  bpf: [280, 321],
  perf_event_open: [241, 298],
  userfaultfd: [282, 323],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  keyctl: [219, 250],
  add_key: [217, 248],
  request_key: [218, 249],
  fanotify_init: [262, 300],
  fanotify_mark: [263, 301],
  memfd_secret: [447, 447],
  mbind: [235, 237],
  set_mempolicy: [237, 238],
  set_mempolicy_home_node: [450, 450],
  lookup_dcookie: [18, 212],
  nfsservctl: [42, 180],
  // The machine itself.
  reboot: [142, 169],
  kexec_load: [104, 246],
  kexec_file_load: [294, 320],
  init_module: [105, 175],
  finit_module: [273, 313],
  delete_module: [106, 176],
  create_module: [null, 174],
  get_kernel_syms: [null, 177],
  query_module: [null, 178],
  uselib: [null, 134],
  sysfs: [null, 139],
  _sysctl: [null, 156],
  iopl: [null, 172],
  ioperm: [null, 173],
  modify_ldt: [null, 154],
  ustat: [null, 136],
  settimeofday: [170, 164],
  clock_settime: [112, 227],
  clock_adjtime: [266, 305],
  adjtimex: [171, 159],
  sethostname: [161, 170],
  setdomainname: [162, 171],
  syslog: [116, 103],
  acct: [89, 163],
  vhangup: [58, 153],
} as const satisfies Record<string, Numbers>;

/** Judged by an argument; see build-filter.ts. */
export const JUDGED = {
  socket: [198, 41],
  socketpair: [199, 53],
  clone: [220, 56],
  clone3: [435, 435],
  unshare: [97, 272],
  ioctl: [29, 16],
  personality: [92, 135],
} as const satisfies Record<string, Numbers>;

export function syscallNumber(numbers: Numbers, architecture: Architecture): number | null {
  return numbers[ARCHITECTURES[architecture].column];
}
