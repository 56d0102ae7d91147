import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Host } from './host.ts';

/** The directory of this user's settings, by the convention of the platform. */
export function configDirectory(
  { environment }: Pick<Host, 'environment'>,
  platform: NodeJS.Platform = process.platform,
): string {
  const own = environment['SERVICECTL_CONFIG_DIR'];
  if (own) return own;
  if (environment['XDG_CONFIG_HOME']) return join(environment['XDG_CONFIG_HOME'], 'servicectl');
  if (platform === 'win32' && environment['APPDATA']) return join(environment['APPDATA'], 'servicectl');
  return join(environment['HOME'] ?? homedir(), '.config', 'servicectl');
}
