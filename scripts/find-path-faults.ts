// What of a path's list is no longer so: a file that is gone, one that no other file of the list imports, one twice.
import { importsOf, type SourceFile } from './find-floor-faults.ts';
import type { Path } from './paths.ts';

/** `read` returns undefined for a file that does not exist. */
export function findPathFaults(path: Path, read: (file: string) => string | undefined): string[] {
  const sources: SourceFile[] = [];
  const faults: string[] = [];
  for (const file of new Set(path.files)) {
    const text = read(file);
    if (text === undefined) faults.push(`${file} does not exist`);
    else sources.push({ path: file, text });
  }
  if (sources.length + faults.length < path.files.length) faults.push('a file is listed twice');
  for (const file of path.entrances) if (!path.files.includes(file)) faults.push(`the entrance ${file} is not listed`);
  const imported = new Set(sources.flatMap(importsOf));
  for (const { path: file } of sources)
    if (!imported.has(file) && !path.entrances.includes(file)) faults.push(`no other file of the path imports ${file}`);
  return faults.map((fault) => `${path.title}: ${fault}`);
}
