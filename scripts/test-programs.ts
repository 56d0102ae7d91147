// Programs that tests use and npm does not install: which Debian package has each, and where it is found. Without root
// a package is unpacked into the cache of the checkout, and each of its programs gets a starter there that points it at
// the libraries and fonts beside it.
import { existsSync, globSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { unpackDebianPackages, unpackedRoot } from '../src/sandbox/unpack-debian-packages.ts';

interface TestProgram {
  readonly package: string;
  /** Where the package has its programs. Absent where unpacking does not help: what needs more of the machine's /usr. */
  readonly at?: string;
  /** Other programs that do as well. */
  readonly or?: readonly string[];
}

const PROGRAMS = {
  // Chromium without its window: the same pages for a quarter less of the processor.
  'chromium-headless-shell': {
    package: 'chromium-headless-shell',
    at: 'usr/lib/chromium/chromium-headless-shell',
    or: ['chromium', 'google-chrome'],
  },
  // Not unpacked: it is large, and the tests in Chromium say most of what it would.
  'firefox-esr': { package: 'firefox-esr', or: ['firefox'] },
  'redis-server': { package: 'redis-server', at: 'usr/bin/redis-server' },
  pgbouncer: { package: 'pgbouncer', at: 'usr/sbin/pgbouncer' },
  initdb: { package: 'postgresql', at: 'usr/lib/postgresql/*/bin/*' },
  psql: { package: 'postgresql', at: 'usr/lib/postgresql/*/bin/*' },
  bwrap: { package: 'bubblewrap', at: 'usr/bin/bwrap' },
  faketime: { package: 'faketime', at: 'usr/bin/faketime' },
  curl: { package: 'curl' },
  git: { package: 'git' },
  openssl: { package: 'openssl' },
  perl: { package: 'perl' },
  // Guides that are run: a proxy in front, and the client of a cluster that is not there.
  nginx: { package: 'nginx' },
  kubectl: { package: 'kubernetes-client', at: 'usr/bin/kubectl' },
  script: { package: 'bsdutils' },
  'systemd-analyze': { package: 'systemd' },
} as const satisfies Record<string, TestProgram>;

export type TestProgramName = keyof typeof PROGRAMS;

const UNPACKED = join(import.meta.dirname, '..', '.cache', 'debian');
/** Starters of the unpacked programs. */
const UNPACKED_BIN = join(UNPACKED, 'bin');

/** The machine's own program, or else the unpacked one. */
export function findProgram(name: string): string | undefined {
  const { or = [] } = (PROGRAMS as Readonly<Record<string, TestProgram>>)[name] ?? {};
  return [name, ...or]
    .flatMap((one) => directories().map((directory) => join(directory, one)))
    .find((file) => existsSync(file));
}

export function getProgram(name: TestProgramName): string {
  const file = findProgram(name);
  if (file === undefined) throw new Error(`${name} is not installed`);
  return file;
}

/** A directory that has all of these programs, such as those of one PostgreSQL version. */
export function findDirectoryOf(...names: readonly string[]): string | undefined {
  return directories().find((directory) => names.every((name) => existsSync(join(directory, name))));
}

function directories(): string[] {
  return [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/bin',
    '/usr/sbin',
    ...globSync('/usr/lib/postgresql/*/bin').sort().toReversed(),
    UNPACKED_BIN,
  ];
}

/** Debian packages that the tests use and the machine lacks. */
export function missingPackages(): string[] {
  return packagesOf(missing());
}

/** Those of them that are of use when they are only unpacked. */
export function unpackablePackages(): string[] {
  return packagesOf(missing().filter(({ at }) => at !== undefined));
}

function missing(): TestProgram[] {
  return Object.entries<TestProgram>(PROGRAMS)
    .filter(([name]) => findProgram(name) === undefined)
    .map(([, program]) => program);
}

function packagesOf(programs: readonly TestProgram[]): string[] {
  return [...new Set(programs.map((program) => program.package))];
}

/** Unpacks packages for the tests; tells by name why one could not be. */
export async function unpackPackages(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const failures = await unpackDebianPackages(names, UNPACKED);
  writeFontsFile();
  for (const program of Object.values<TestProgram>(PROGRAMS)) {
    if (program.at === undefined || !names.includes(program.package) || failures.has(program.package)) continue;
    for (const file of globSync(join(unpackedRoot(UNPACKED), program.at))) writeStarter(file);
  }
  return failures;
}

/** The starter comes last and at once: where it is, the program is complete. */
function writeStarter(program: string): void {
  mkdirSync(UNPACKED_BIN, { recursive: true });
  const fromHere = (path: string): string => `"$here/${relative(UNPACKED_BIN, path)}"`;
  const libraries = [
    ...new Set(globSync(join(unpackedRoot(UNPACKED), '{usr/lib,lib}/*-linux-gnu*/{.,*}/lib*.so*')).map(dirname)),
  ].sort();
  const file = join(UNPACKED_BIN, basename(program));
  const lines = [
    '#!/bin/sh',
    'here=$(cd "$(dirname "$0")" && pwd)',
    `LD_LIBRARY_PATH=${libraries.map(fromHere).join(':')}"\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"`,
    `FONTCONFIG_FILE=${fromHere(join(UNPACKED, 'fonts.conf'))}`,
    'export LD_LIBRARY_PATH FONTCONFIG_FILE',
    `exec ${fromHere(program)} "$@"`,
    '',
  ];
  writeFileSync(`${file}.new`, lines.join('\n'), { mode: 0o755 });
  renameSync(`${file}.new`, file);
}

/** Fonts of the machine and unpacked ones: a browser without any draws no text at all. A cache is never relative to this file. */
function writeFontsFile(): void {
  const cache = join(UNPACKED, 'font-cache').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  writeFileSync(
    join(UNPACKED, 'fonts.conf'),
    `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">\n<fontconfig>\n  <dir>/usr/share/fonts</dir>\n  <dir prefix="relative">root/usr/share/fonts</dir>\n  <cachedir>${cache}</cachedir>\n  <include ignore_missing="yes">/etc/fonts/conf.d</include>\n</fontconfig>\n`,
  );
}
