// The directory that all sandboxes of this controller share.
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '../../process/make-directory.ts';
import { MACHINE } from './mount-space.ts';
import { mountsBeneath, unmount } from './disk.ts';
import type { Host } from './host.ts';
import type { Programs } from './programs.ts';
import { mustRun } from './run-program.ts';
import { writeEtc } from './write-etc.ts';

export async function prepareRoot(
  host: Host,
  programs: Programs,
): Promise<{ etc: string; shownEtc: string[]; node: string; tools: string }> {
  if (host.root) for (const point of await mountsBeneath(host.directory)) await unmount(programs, MACHINE, point);
  await mkdir(join(host.directory, 'boxes'), { recursive: true, mode: 0o711 });
  const { uid } = await stat(host.directory);
  if (uid !== process.getuid?.()) throw new Error(`${host.directory} belongs to another user`);
  for (const path of [host.directory, join(host.directory, 'boxes')]) await chmod(path, host.root ? 0o711 : 0o700);
  const etc = join(host.directory, 'etc');
  const shownEtc = await writeEtc(etc);
  await makeDirectory(host.tools, 0o755);
  if (!host.root) return { etc, shownEtc, node: process.execPath, tools: host.tools };
  const [node, tools] = [join(host.directory, 'node'), join(host.directory, 'tools')];
  await writeFile(node, '');
  await mkdir(tools, { recursive: true });
  await show(programs, process.execPath, node);
  await show(programs, host.tools, tools);
  return { etc, shownEtc, node, tools };
}

/**
 * The users of the runs may not be able to traverse the directories above; a bind mount in ours makes the content
 * reachable.
 */
async function show(programs: Programs, from: string, at: string): Promise<void> {
  await mustRun([programs.mount, '--bind', from, at]);
}
