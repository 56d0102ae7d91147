import { readFileSync } from 'node:fs';
import { findAbove } from './find-above.ts';

/** Of the package that this file is a part of: the installed one, or the project. */
export function readVersion(): string {
  const file = findAbove('package.json');
  try {
    return (JSON.parse(readFileSync(file ?? '', 'utf8')) as { version: string }).version;
  } catch {
    return 'unknown';
  }
}
