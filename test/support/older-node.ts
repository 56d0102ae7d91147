// A Node of this machine that is older than the pinned one and still supported by the command line.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const SUPPORTED = /^v2[0-3]\./;

export function findOlderNode(): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin'];
  return directories
    .map((directory) => join(directory, 'node'))
    .find((file) => existsSync(file) && SUPPORTED.test(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout));
}
