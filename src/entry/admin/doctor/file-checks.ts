import { access, constants, readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSecrets } from '../../../stack/secrets-file.ts';
import { StackError } from '../../../stack/stack-error.ts';
import { isRunning } from './complete-from-stack.ts';
import { fault, type Finding, notice, ok, warning } from './finding.ts';
import type { Patient } from './patient.ts';

const MIB = 1024 * 1024;
const LITTLE_BYTES = 2 * 1024 * MIB;
const TOO_LITTLE_BYTES = 256 * MIB;
/** Files of the data directory that hold a secret. */
const PRIVATE_FILES = ['.env', 'stack.json'];

export async function checkDirectory({ directory, environment, bundle }: Patient): Promise<Finding[]> {
  const found = await stat(directory).catch(() => undefined);
  // A bundle does not name it: in a deployment each part is told its own.
  if (
    !found &&
    bundle !== undefined &&
    !['SERVICE_DATA_DIR', 'DATA_DIR'].some((name) => (environment[name] ?? '').trim() !== '')
  )
    return [
      notice(
        'the data directory is not looked at: nothing here names it',
        'Artifacts and checkpoints lie in it.',
        'Name it: --data-dir /var/lib/service, as the systemd units do.',
      ),
    ];
  if (!found)
    return [
      fault(
        `the data directory ${directory} is not there`,
        'Its path names the database schema, so another path means another, empty set of tables; artifacts, checkpoints and logs lie in it.',
        `Set SERVICE_DATA_DIR to the directory of the deployment, or make it: mkdir -m 700 -p ${directory}`,
      ),
    ];
  if (!found.isDirectory())
    return [
      fault(
        `${directory} is no directory`,
        'Every part keeps its files there.',
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
        'Artifacts, checkpoints and logs cannot be kept.',
        `Give it to the user that runs the service: chown -R <user> ${directory}`,
      ),
    ];
  if ((found.mode & 0o022) !== 0)
    return [
      fault(
        `others may write into the data directory ${directory} (mode ${octal(found.mode)})`,
        'Whoever can write there can replace artifacts, checkpoints and the socket of the sandbox controller.',
        `chmod 700 ${directory}`,
      ),
    ];
  return [ok(`the data directory ${directory} is there and writable`)];
}

export async function checkPrivateFiles({ directory }: Patient): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of PRIVATE_FILES) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => undefined);
    if (found && (found.mode & 0o077) !== 0)
      findings.push(
        fault(
          `${path} can be read by others (mode ${octal(found.mode)})`,
          'It holds secrets of the deployment.',
          `chmod 600 ${path}; if others use this machine, replace what it holds.`,
        ),
      );
  }
  const damage = await findDamage(join(directory, '.env'));
  if (damage !== undefined)
    findings.push(
      fault(
        damage,
        'npm start does not go on with other secrets: what is stored would open with none of them.',
        'Restore the file from a backup.',
      ),
    );
  return findings.length > 0 ? findings : [ok('files that hold secrets are whole, and for their owner alone')];
}

/** The sentence of npm start about its file of secrets; it names the line and never what is in it. */
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

export async function checkDisk({ directory }: Patient): Promise<Finding[]> {
  const space = await statfs(directory).catch(() => undefined);
  if (!space) return [];
  return [judgeSpace(space.bavail * space.bsize, directory)];
}

export function judgeSpace(free: number, directory: string): Finding {
  const what = `${Math.round(free / MIB)} MiB are free where ${directory} lies`;
  const fix =
    'Make room there, or move the data directory to a larger disk (set SERVICE_DB_SCHEMA to the schema of before).';
  if (free < TOO_LITTLE_BYTES)
    return fault(what, 'Runs leave artifacts, receipts leave checkpoints; a full disk ends both.', fix);
  if (free < LITTLE_BYTES) return warning(what, 'Runs leave artifacts, receipts leave checkpoints.', fix);
  return ok(what);
}

export function checkStackFile({ stack, directory }: Patient): Finding[] {
  if (!stack) return [];
  if (!isRunning(stack))
    return [
      warning(
        `${join(directory, 'stack.json')} is of a stack that no longer runs`,
        'It was killed; a clean stop removes the file. What it names may be gone.',
        'Start it again with: npm start',
      ),
    ];
  const restarted = Object.entries(stack.parts).filter(([, { restarts }]) => restarts > 0);
  if (restarted.length === 0)
    return [ok(`npm start runs ${Object.keys(stack.parts).length} parts since ${stack.startedAt}`)];
  return restarted.map(([name, { restarts }]) =>
    notice(
      `${name} was started again ${restarts} times since ${stack.startedAt}`,
      'It ended by itself each time.',
      `Read ${join(directory, 'logs', `${name}.log`)}`,
    ),
  );
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}
