// What of a controller's sandboxes can be found on the machine: cgroups, processes, mounts, directories.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type ControllerProcess, processesOf, ROOTFUL, sandboxDirectory, type Way } from './sandbox.ts';

export function leftovers(controller: Pick<ControllerProcess, 'child' | 'directory'>, way: Way, id = ''): string[] {
  const directory = sandboxDirectory(controller.directory, way);
  return [
    ...(way === ROOTFUL
      ? findGroups(basename(directory).slice(-12), id)
      : processesOf(controller).map((pid) => `process ${pid}`)),
    ...findMounts(directory, id),
    ...findDirectories(directory, id),
  ];
}

function findGroups(instance: string, id: string): string[] {
  const found: string[] = [];
  for (const controller of ['', 'memory', 'pids', 'cpu', 'cpuacct', 'unified']) {
    const parent = join('/sys/fs/cgroup', controller, 'service-sandbox', instance);
    for (const name of list(parent).filter((entry) => entry.startsWith('sbx_') && entry.startsWith(id))) {
      found.push(`cgroup ${join(parent, name)}`);
      for (const pid of read(join(parent, name, 'cgroup.procs'))
        .split('\n')
        .filter(Boolean))
        found.push(`process ${pid}`);
    }
    if (id === '' && list(parent).length > 0) found.push(`cgroup ${parent}`);
  }
  return found;
}

/** Without root the mounts are in a namespace of the controller's own and gone with it. */
function findMounts(directory: string, id: string): string[] {
  return read('/proc/self/mountinfo')
    .split('\n')
    .filter((line) => line.includes(`${directory}/`) && line.includes(id))
    .map((line) => `mount ${line.split(' ')[4]}`);
}

function findDirectories(directory: string, id: string): string[] {
  const boxes = list(join(directory, 'boxes'))
    .filter((entry) => entry.startsWith(id))
    .map((name) => `directory ${name}`);
  return id === '' && list(directory).length > 0 ? [...boxes, `directory ${directory}`] : boxes;
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
