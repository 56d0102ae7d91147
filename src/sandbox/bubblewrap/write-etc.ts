// The /etc of every sandbox: written by us, with only what is public and needed of the machine's own.
import { chmod, copyFile, lstat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory } from '../../process/make-directory.ts';

export const SANDBOX_UID = 1000;

const FILES = {
  passwd: `agent:x:${SANDBOX_UID}:${SANDBOX_UID}:agent:/home/agent:/bin/bash\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n`,
  group: `agent:x:${SANDBOX_UID}:\nnogroup:x:65534:\n`,
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
  hostname: 'sandbox\n',
  'resolv.conf': '',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
} as const;

const COPIED = ['ld.so.cache', 'localtime', 'mime.types', 'services', 'protocols'];
/** Directories shown as they are: public CA certificates, and the alternatives of common programs. */
const SHOWN_DIRECTORIES = ['ssl/certs', 'pki/tls/certs', 'pki/ca-trust/extracted', 'alternatives'];

/** Returns which of the shown directories exist on this machine. */
export async function writeEtc(directory: string): Promise<string[]> {
  await makeDirectory(directory, 0o755);
  for (const [name, text] of Object.entries(FILES)) await show(join(directory, name), (path) => writeFile(path, text));
  for (const name of COPIED)
    await show(join(directory, name), (path) => copyFile(join('/etc', name), path)).catch(() => {});
  const shown: string[] = [];
  for (const name of SHOWN_DIRECTORIES) {
    if (
      !(await lstat(join('/etc', name)).then(
        (stat) => stat.isDirectory(),
        () => false,
      ))
    )
      continue;
    await makeDirectory(join(directory, name), 0o755);
    shown.push(name);
  }
  return shown;
}

/** Readable by every user of a run, whatever the controller's umask. */
async function show(path: string, write: (path: string) => Promise<void>): Promise<void> {
  await write(path);
  await chmod(path, 0o644);
}
