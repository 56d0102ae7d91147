// What of a controller's sandboxes can be found on the machine: cgroups and their processes, mounts, directories.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function leftovers(dataDirectory: string, id = ''): string[] {
  const instance = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 12);
  const found: string[] = [];
  for (const controller of ['', 'memory', 'pids', 'cpu', 'cpuacct', 'unified']) {
    const parent = join('/sys/fs/cgroup', controller, 'service-sandbox', instance);
    for (const name of list(parent).filter((entry) => entry.startsWith('sbx_') && entry.startsWith(id))) {
      found.push(`cgroup ${join(parent, name)}`);
      for (const pid of read(join(parent, name, 'cgroup.procs')).split('\n').filter(Boolean)) found.push(`process ${pid}`);
    }
    if (id === '' && list(parent).length > 0) found.push(`cgroup ${parent}`);
  }
  const directory = `/run/service-sandbox-${instance}`;
  for (const line of read('/proc/self/mountinfo').split('\n')) if (line.includes(`${directory}/`) && line.includes(id)) found.push(`mount ${line.split(' ')[4]}`);
  for (const name of list(join(directory, 'boxes')).filter((entry) => entry.startsWith(id))) found.push(`directory ${name}`);
  if (id === '' && list(directory).length > 0) found.push(`directory ${directory}`);
  return found;
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
