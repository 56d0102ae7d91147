// The /etc of every sandbox: written by us, with nothing of the machine's own but what is public and needed.
import { copyFile, lstat, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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
/** Directories shown as they are: certificates of public authorities, and which program answers to a common name. */
export const SHOWN_DIRECTORIES = ['ssl/certs', 'pki/tls/certs', 'pki/ca-trust/extracted', 'alternatives'];

/** Answers which of the shown directories this machine has. */
export async function writeEtc(directory: string): Promise<string[]> {
  await mkdir(directory, { recursive: true, mode: 0o755 });
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(directory, name), text, { mode: 0o644 });
  for (const name of COPIED) await copyFile(join('/etc', name), join(directory, name)).catch(() => {});
  const shown: string[] = [];
  for (const name of SHOWN_DIRECTORIES) {
    if (!(await lstat(join('/etc', name)).then((stat) => stat.isDirectory(), () => false))) continue;
    await mkdir(join(directory, name), { recursive: true, mode: 0o755 });
    shown.push(name);
  }
  return shown;
}
