import { access, constants, readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSecrets } from '../../../stack/secrets-file.ts';
import { StackError } from '../../../stack/stack-error.ts';
import { isRunning } from './complete-from-stack.ts';
import { fault, type Finding, notice, ok, warning } from './finding.ts';
import type { Deployment } from './deployment.ts';

const MIB = 1024 * 1024;
const LITTLE_BYTES = 2 * 1024 * MIB;
const TOO_LITTLE_BYTES = 256 * MIB;
/** Files of the data directory that contain a secret. */
const PRIVATE_FILES = ['.env', 'stack.json'];

export async function checkDirectory({ directory, environment, bundle }: Deployment): Promise<Finding[]> {
  const found = await stat(directory).catch(() => undefined);
  // A bundle does not set it: in a deployment each part gets its own.
  if (
    !found &&
    bundle !== undefined &&
    !['SERVICE_DATA_DIR', 'DATA_DIR'].some((name) => (environment[name] ?? '').trim() !== '')
  )
    return [
      notice(
        'the data directory is not checked: it is not set here',
        'It holds artifacts and checkpoints.',
        'Pass it: --data-dir /var/lib/service, as the systemd units do.',
      ),
    ];
  if (!found)
    return [
      fault(
        `the data directory ${directory} does not exist`,
        'Its path names the database schema, so another path means a different, empty set of tables; it also holds artifacts, checkpoints and logs.',
        `Set SERVICE_DATA_DIR to the directory of the deployment, or create it: mkdir -m 700 -p ${directory}`,
      ),
    ];
  if (!found.isDirectory())
    return [
      fault(
        `${directory} is not a directory`,
        'Every part stores files there.',
        'Set SERVICE_DATA_DIR to a directory.',
      ),
    ];
  const writable = await access(directory, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!writable)
    return [
      fault(
        `the data directory ${directory} cannot be written`,
        'Artifacts, checkpoints and logs cannot be stored.',
        `Give it to the user that runs the service: chown -R <user> ${directory}`,
      ),
    ];
  if ((found.mode & 0o022) !== 0)
    return [
      fault(
        `other users can write to the data directory ${directory} (mode ${octal(found.mode)})`,
        'They can replace artifacts, checkpoints and the socket of the sandbox controller.',
        `chmod 700 ${directory}`,
      ),
    ];
  return [ok(`the data directory ${directory} exists and is writable`)];
}

export async function checkPrivateFiles({ directory }: Deployment): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of PRIVATE_FILES) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined);
    if (found && (found.mode & 0o077) !== 0)
      findings.push(
        fault(
          `${path} can be read by other users (mode ${octal(found.mode)})`,
          'It contains secrets of the deployment.',
          `chmod 600 ${path}; if other people use this machine, replace the secrets in it.`,
        ),
      );
  }
  const damage = await findDamage(join(directory, '.env'));
  if (damage !== undefined)
    findings.push(
      fault(
        damage,
        'npm start does not continue with new secrets: stored data could not be decrypted with them.',
        'Restore the file from a backup.',
      ),
    );
  return findings.length > 0 ? findings : [ok('files with secrets are intact and readable only by their owner')];
}

/** The error of npm start about its file of secrets; it names the line and never its content. */
async function findDamage(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  try {
    parseSecrets(text, path);
    return undefined;
  } catch (error) {
    if (!(error instanceof StackError)) throw error;
    return error.message.split(':')[0];
  }
}

export async function checkDisk({ directory }: Deployment): Promise<Finding[]> {
  const space = await statfs(directory).catch(() => undefined);
  if (!space) return [];
  return [judgeSpace(space.bavail * space.bsize, directory)];
}

export function judgeSpace(free: number, directory: string): Finding {
  const what = `${Math.round(free / MIB)} MiB are free on the disk of ${directory}`;
  const fix =
    'Free some space, or move the data directory to a larger disk (set SERVICE_DB_SCHEMA to the current schema).';
  if (free < TOO_LITTLE_BYTES)
    return fault(what, 'Artifacts and checkpoints are stored there, and cannot be on a full disk.', fix);
  if (free < LITTLE_BYTES) return warning(what, 'Artifacts and checkpoints are stored there.', fix);
  return ok(what);
}

export function checkStackFile({ stack, directory }: Deployment): Finding[] {
  if (!stack) return [];
  if (!isRunning(stack))
    return [
      warning(
        `${join(directory, 'stack.json')} is of a stack that no longer runs`,
        'It was killed; a clean stop removes the file. Its parts may be gone.',
        'Start it again with: npm start',
      ),
    ];
  const restarted = Object.entries(stack.parts).filter(([, { restarts }]) => restarts > 0);
  if (restarted.length === 0)
    return [ok(`npm start has been running ${Object.keys(stack.parts).length} parts since ${stack.startedAt}`)];
  return restarted.map(([name, { restarts }]) =>
    notice(
      `${name} was restarted ${restarts} times since ${stack.startedAt}`,
      'It crashed or exited each time.',
      `Read ${join(directory, 'logs', `${name}.log`)}`,
    ),
  );
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}
