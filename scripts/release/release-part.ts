// What every part of a release is given, and what it answers: files by name, in the directory of the release.
import type { Build } from './identify-build.ts';

export interface ReleaseInput {
  readonly root: string;
  /** The built programs. */
  readonly dist: string;
  readonly build: Build;
  /** Where Debian packages come from; empty for the mirrors that mmdebstrap knows. */
  readonly mirrors: readonly string[];
  /** For what is only needed until the part is made. */
  readonly scratch: string;
}

export type Artefacts = Readonly<Record<string, Buffer>>;

/** The system and processor that programs in an artefact run on, as Node names them: `linux-x64`. */
export const PLATFORM = `${process.platform}-${process.arch}`;
