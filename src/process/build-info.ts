// Which code a process runs: the semantic version of the package, and the id of the build, which differs wherever the
// code differs. scripts/build.ts writes both beside the programs; a program that runs from its sources has no build.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot, programDirectory } from './package-root.ts';

export interface BuildInfo {
  readonly version: string;
  readonly build: string;
}

export const BUILD_FILE = 'build.json';
/** The build id of a program that is run from its sources. */
export const UNBUILT = 'sources';

let known: BuildInfo | undefined;

export function buildInfo(): BuildInfo {
  known ??= import.meta.filename.endsWith('.ts')
    ? { version: readVersion(join(packageRoot(), 'package.json')), build: UNBUILT }
    : (JSON.parse(readFileSync(join(programDirectory(), BUILD_FILE), 'utf8')) as BuildInfo);
  return known;
}

/** As semantic versioning writes both: `1.4.0+3f2a9c81d07e`. */
export function fullVersion({ version, build }: BuildInfo): string {
  return `${version}+${build}`;
}

/** Undefined for the version of a program older than build ids. */
export function buildOf(full: string): string | undefined {
  const at = full.indexOf('+');
  return at < 0 ? undefined : full.slice(at + 1);
}

function readVersion(manifest: string): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
