// Provides bubblewrap on a machine that lacks it, if we can: on Debian and its derivatives as root by installing the
// package, otherwise by unpacking it into a cache. Elsewhere the controller's probe says what to install.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './bubblewrap/run-program.ts';
import { findProgram } from './bubblewrap/programs.ts';
import { installDebianPackage } from './install-debian-package.ts';
import { unpackDebianPackages, unpackedRoot } from './unpack-debian-packages.ts';

export interface ProvideOptions {
  /** Where packages are unpacked without root. */
  readonly cache: string;
  /** Reports a step that takes a while. */
  begin(label: string): { done(): void; failed(): void };
  readonly signal?: AbortSignal;
}

/** The path of an unpacked bubblewrap; undefined if none was unpacked. */
export async function provideBubblewrap({ cache, begin, signal }: ProvideOptions): Promise<string | undefined> {
  if (process.platform !== 'linux' || (await findProgram('bwrap')) !== undefined) return undefined;
  const unpacked = join(unpackedRoot(cache), 'usr', 'bin', 'bwrap');
  if (await runs(unpacked)) return unpacked;
  if (!existsSync('/etc/debian_version')) return undefined;
  const root = process.getuid?.() === 0;
  const step = begin(`${root ? 'installing' : 'unpacking'} bubblewrap for runs, once`);
  await (root ? installDebianPackage('bubblewrap', signal) : unpackDebianPackages(['bubblewrap'], cache, signal));
  const provided = root ? await findProgram('bwrap') : (await runs(unpacked)) ? unpacked : undefined;
  // If it failed, everything else still starts, and the controller says what to install.
  if (provided === undefined) step.failed();
  else step.done();
  return root ? undefined : provided;
}

/** Also false if its libraries are missing. */
async function runs(program: string): Promise<boolean> {
  return existsSync(program) && (await runProgram([program, '--version'])).code === 0;
}
