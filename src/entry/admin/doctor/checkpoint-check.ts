import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findCheckpointRoots } from '../../../receipts/checkpoint.ts';
import type { Deployment } from './deployment.ts';
import { type Finding, ok, warning } from './finding.ts';

/** One is written every few minutes, and those that matter are the newest. */
const LOOKED_AT = 1_000;
const NOTE = /^receipt-checkpoint\/v1\n(?<id>\d{1,15})\n(?<at>\S+)\n\d+\n(?<root>[0-9a-f]{64})\n$/;

/** A database that went back to an earlier time verifies like any other; a file that it does not know tells of it. */
export async function checkCheckpoints({ directory, storage }: Deployment): Promise<Finding[]> {
  const place = join(directory, 'checkpoints');
  const files = (await readdir(place).catch(() => [])).filter((file) => file.endsWith('.txt')).toSorted();
  const notes = await Promise.all(
    files.slice(-LOOKED_AT).map(async (file) => {
      const found = NOTE.exec(await readFile(join(place, file), 'utf8').catch(() => ''))?.groups;
      return found ? [{ file, id: Number(found['id']), at: found['at'] ?? '', root: found['root'] ?? '' }] : [];
    }),
  );
  const roots = await findCheckpointRoots(
    await storage(),
    notes.flat().map(({ id }) => id),
  );
  const unknown = notes.flat().filter(({ id, root }) => roots.get(id)?.toString('hex') !== root);
  const [first] = unknown;
  if (first === undefined) return [ok('the database has every checkpoint of the data directory')];
  return [
    warning(
      `the database does not have ${unknown.length} of the checkpoints in ${place}, from ${first.file} of ${first.at}`,
      'It was set back to an earlier time, it is a standby that lacked the last moments, or it is not the database of this directory. Receipts of that time may be lost.',
      'If you know why, keep those files elsewhere as evidence and remove them here (docs/operators/backup.md); otherwise follow docs/operators/incident.md.',
    ),
  ];
}
