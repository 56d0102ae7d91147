import { readFileSync } from 'node:fs';
import { findAbove } from './find-above.ts';

/** The version of the package that contains this file: the installed one, or the project. */
export function readVersion(): string {
  const file = findAbove('package.json');
  try {
    return (JSON.parse(readFileSync(file ?? '', 'utf8')) as { version: string }).version;
  } catch {
    return 'unknown';
  }
}
