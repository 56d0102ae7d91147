import { readFileSync } from 'node:fs';
import { findAbove } from './find-above.ts';

export interface ClientVersion {
  readonly version: string;
  /** Absent in a program that is run from its sources. */
  readonly build?: string;
}

/** The version of the package that contains this file: the installed one, or the project. */
export function readVersion(): ClientVersion {
  const file = findAbove('package.json');
  try {
    const { version, build } = JSON.parse(readFileSync(file ?? '', 'utf8')) as ClientVersion;
    return { version, ...(build === undefined ? {} : { build }) };
  } catch {
    return { version: 'unknown' };
  }
}

export function describeVersion({ version, build }: ClientVersion): string {
  return build === undefined ? version : `${version} (build ${build})`;
}
