// The seccomp filter in the form the kernel expects: an array of classic BPF instructions, each a 16-bit code, two
// 8-bit jump distances and a 32-bit operand. Every test is followed by its verdict, so jumps stay short.
import { type Architecture, ARCHITECTURES, JUDGED, REFUSED, syscallNumber } from './syscalls.ts';

export interface Instruction {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

export const BPF = { load: 0x20, jumpIfEqual: 0x15, jumpIfAtLeast: 0x35, jumpIfAnyBit: 0x45, give: 0x06 } as const;
/** Offsets into `struct seccomp_data`; for an argument, of its low half on a little-endian machine. */
export const DATA = { syscall: 0, architecture: 4, argument: (index: number) => 16 + 8 * index } as const;
export const VERDICT = {
  allow: 0x7fff0000,
  notPermitted: 0x00050001,
  noSuchCall: 0x00050026,
  kill: 0x80000000,
} as const;

/** New mount, cgroup, UTS, IPC, user, pid and network namespaces; a time namespace shares its bit with the exit signal of clone. */
const NAMESPACES = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000;
const TIME_NAMESPACE = 0x80;
/** System calls of the x32 ABI have this bit set; their numbers would bypass the table. */
const X32 = 0x40000000;
const AF = { unix: 1, inet: 2, inet6: 10, netlink: 16 } as const;
const NETLINK_ROUTE = 0;
/** Pushing characters into a terminal, and similar requests. */
const TERMINAL_REQUESTS = [0x5412, 0x541c];
/** The arguments that `personality` allows: plain Linux, and a query of the current one. */
const PERSONALITIES = [0, 0xffffffff];

const load = (k: number): Instruction => ({ code: BPF.load, jt: 0, jf: 0, k });
const give = (k: number): Instruction => ({ code: BPF.give, jt: 0, jf: 0, k });
const whenEqual = (k: number, verdict: number): Instruction[] => [
  { code: BPF.jumpIfEqual, jt: 0, jf: 1, k },
  give(verdict),
];
const whenAnyBit = (k: number, verdict: number): Instruction[] => [
  { code: BPF.jumpIfAnyBit, jt: 0, jf: 1, k },
  give(verdict),
];

export function buildFilter(architecture: Architecture): Instruction[] {
  const judged = (name: keyof typeof JUDGED, rules: Instruction[]): Instruction[] => {
    const number = syscallNumber(JUDGED[name], architecture);
    return number === null ? [] : [{ code: BPF.jumpIfEqual, jt: 0, jf: rules.length, k: number }, ...rules];
  };
  const families = [AF.unix, AF.inet, AF.inet6].flatMap((family) => whenEqual(family, VERDICT.allow));
  const netlink: Instruction[] = [
    { code: BPF.jumpIfEqual, jt: 0, jf: 3, k: AF.netlink },
    load(DATA.argument(2)),
    ...whenEqual(NETLINK_ROUTE, VERDICT.allow),
  ];
  return [
    load(DATA.architecture),
    { code: BPF.jumpIfEqual, jt: 1, jf: 0, k: ARCHITECTURES[architecture].audit },
    give(VERDICT.kill),
    load(DATA.syscall),
    ...(architecture === 'x64' ? [{ code: BPF.jumpIfAtLeast, jt: 0, jf: 1, k: X32 }, give(VERDICT.notPermitted)] : []),
    ...judged('socket', [load(DATA.argument(0)), ...families, ...netlink, give(VERDICT.notPermitted)]),
    ...judged('socketpair', [load(DATA.argument(0)), ...whenEqual(AF.unix, VERDICT.allow), give(VERDICT.notPermitted)]),
    ...judged('clone', [load(DATA.argument(0)), ...whenAnyBit(NAMESPACES, VERDICT.notPermitted), give(VERDICT.allow)]),
    // Its flags are behind a pointer, which a filter cannot follow. A C library that gets ENOSYS falls back to clone.
    ...judged('clone3', [give(VERDICT.noSuchCall)]),
    ...judged('unshare', [
      load(DATA.argument(0)),
      ...whenAnyBit(NAMESPACES | TIME_NAMESPACE, VERDICT.notPermitted),
      give(VERDICT.allow),
    ]),
    ...judged('ioctl', [
      load(DATA.argument(1)),
      ...TERMINAL_REQUESTS.flatMap((request) => whenEqual(request, VERDICT.notPermitted)),
      give(VERDICT.allow),
    ]),
    ...judged('personality', [
      load(DATA.argument(0)),
      ...PERSONALITIES.flatMap((value) => whenEqual(value, VERDICT.allow)),
      give(VERDICT.notPermitted),
    ]),
    ...Object.values(REFUSED).flatMap((numbers) => {
      const number = syscallNumber(numbers, architecture);
      return number === null ? [] : whenEqual(number, VERDICT.notPermitted);
    }),
    give(VERDICT.allow),
  ];
}

export function encodeFilter(instructions: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(instructions.length * 8);
  for (const [index, { code, jt, jf, k }] of instructions.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jt, index * 8 + 2);
    bytes.writeUInt8(jf, index * 8 + 3);
    bytes.writeUInt32LE(k >>> 0, index * 8 + 4);
  }
  return bytes;
}
