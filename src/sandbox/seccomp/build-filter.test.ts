import { describe, expect, it } from 'vitest';
import { BPF, buildFilter, DATA, encodeFilter, type Instruction, VERDICT } from './build-filter.ts';
import { type Architecture, ARCHITECTURES, JUDGED, REFUSED, syscallNumber } from './syscalls.ts';

const BOTH = Object.keys(ARCHITECTURES) as Architecture[];

/** A machine for the few instructions the filter uses, fed from the encoded bytes. */
function verdictOf(bytes: Buffer, call: { audit: number; number: number; args?: number[] }): number {
  let accumulator = 0;
  for (let at = 0; at < bytes.length / 8; at++) {
    const [code, jt, jf, k] = [
      bytes.readUInt16LE(at * 8),
      bytes.readUInt8(at * 8 + 2),
      bytes.readUInt8(at * 8 + 3),
      bytes.readUInt32LE(at * 8 + 4),
    ];
    if (code === BPF.give) return k;
    if (code === BPF.load)
      accumulator =
        k === DATA.syscall
          ? call.number
          : k === DATA.architecture
            ? call.audit
            : ((call.args ?? [])[(k - 16) / 8] ?? 0);
    else {
      const holds =
        code === BPF.jumpIfEqual
          ? accumulator === k
          : code === BPF.jumpIfAtLeast
            ? accumulator >= k
            : (accumulator & k) >>> 0 !== 0;
      at += holds ? jt : jf;
    }
  }
  throw new Error('the filter ends without a verdict');
}

describe.each(BOTH)('the filter for %s', (architecture) => {
  const { audit } = ARCHITECTURES[architecture];
  const bytes = encodeFilter(buildFilter(architecture));
  const judge = (number: number | null, ...args: number[]): number =>
    verdictOf(bytes, { audit, number: number ?? -1, args });
  const judged = (name: keyof typeof JUDGED, ...args: number[]): number =>
    judge(syscallNumber(JUDGED[name], architecture), ...args);

  it('refuses every call of the table', () => {
    const numbers = Object.entries(REFUSED).flatMap(([name, row]) =>
      syscallNumber(row, architecture) === null ? [] : [{ name, number: syscallNumber(row, architecture) }],
    );
    expect(numbers.filter(({ number }) => judge(number) !== VERDICT.notPermitted)).toEqual([]);
    expect(numbers.length).toBeGreaterThan(55);
  });

  it('allows what the tables do not name', () => {
    const named = new Set(
      [...Object.values(REFUSED), ...Object.values(JUDGED)].map((numbers) => syscallNumber(numbers, architecture)),
    );
    const others = Array.from({ length: 470 }, (_, number) => number).filter((number) => !named.has(number));
    expect(others.filter((number) => judge(number) !== VERDICT.allow)).toEqual([]);
  });

  it('knows only sockets of the own machine, the internet and routes', () => {
    for (let family = 0; family < 64; family++) {
      const plain = [1, 2, 10].includes(family);
      expect([family, judged('socket', family, 1, 7)]).toEqual([family, plain ? VERDICT.allow : VERDICT.notPermitted]);
      expect([family, judged('socketpair', family)]).toEqual([
        family,
        family === 1 ? VERDICT.allow : VERDICT.notPermitted,
      ]);
    }
    expect(judged('socket', 16, 3, 0)).toBe(VERDICT.allow);
    expect(judged('socket', 16, 3, 12)).toBe(VERDICT.notPermitted);
  });

  it('lets processes and threads be made, but no namespace', () => {
    expect(judged('clone', 0x01200011)).toBe(VERDICT.allow);
    expect(judged('clone', 0x003d0f00)).toBe(VERDICT.allow);
    for (const flag of [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000]) {
      expect(judged('clone', flag | 17)).toBe(VERDICT.notPermitted);
      expect(judged('unshare', flag)).toBe(VERDICT.notPermitted);
    }
    expect(judged('unshare', 0x80)).toBe(VERDICT.notPermitted);
    expect(judged('unshare', 0x400)).toBe(VERDICT.allow);
    expect(judged('clone3')).toBe(VERDICT.noSuchCall);
  });

  it('refuses to push characters into a terminal', () => {
    expect(judged('ioctl', 0, 0x5412)).toBe(VERDICT.notPermitted);
    expect(judged('ioctl', 0, 0x541c)).toBe(VERDICT.notPermitted);
    expect(judged('ioctl', 0, 0x5401)).toBe(VERDICT.allow);
  });

  it('ends a process that calls in the way of another architecture', () => {
    expect(verdictOf(bytes, { audit: 0x40000003, number: 1 })).toBe(VERDICT.kill);
  });

  it('has a verdict at every end', () => {
    const instructions: Instruction[] = buildFilter(architecture);
    for (const [at, { code, jt, jf }] of instructions.entries())
      if (code !== BPF.give && code !== BPF.load) expect(at + 1 + Math.max(jt, jf)).toBeLessThan(instructions.length);
    expect(instructions.at(-1)?.code).toBe(BPF.give);
  });
});

it('refuses calls of the x32 way on x64', () => {
  expect(
    verdictOf(encodeFilter(buildFilter('x64')), { audit: ARCHITECTURES.x64.audit, number: 0x40000000 | 165 }),
  ).toBe(VERDICT.notPermitted);
});
