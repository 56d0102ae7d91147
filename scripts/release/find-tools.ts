// Programs that a release needs and npm does not install, with the Debian package that brings each.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const TOOLS = {
  git: 'git',
  mmdebstrap: 'mmdebstrap',
  'ssh-keygen': 'openssh-client',
} as const;

export type Tool = keyof typeof TOOLS;

export function findMissingTools(tools: readonly Tool[], path = process.env['PATH'] ?? ''): Tool[] {
  const directories = [...path.split(delimiter), '/usr/bin', '/usr/sbin'];
  return tools.filter((tool) => !directories.some((directory) => existsSync(join(directory, tool))));
}
