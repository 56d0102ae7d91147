// <data-dir>/.env: the secrets npm start made, NAME=value a line, readable by its owner alone. A damaged file stops
// the start: to go on with new secrets would leave stored keys that nothing can decrypt.
import { chmod, readFile } from 'node:fs/promises';
import { INVENTED, type Secrets } from './invent-secrets.ts';
import { StackError } from './stack-error.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

const HEAD =
  '# Secrets that npm start made. Without them stored keys and connections cannot be read: back this file up.\n';

export async function readSecretsFile(path: string): Promise<Secrets> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new StackError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, 1, { cause: error });
  }
  await chmod(path, 0o600);
  return parseSecrets(text, path);
}

export async function writeSecretsFile(path: string, secrets: Secrets): Promise<void> {
  await writeFileAtomic(
    path,
    HEAD +
      Object.entries(secrets)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
  );
}

export function parseSecrets(text: string, path: string): Secrets {
  const secrets: Record<string, string> = {};
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const equals = line.indexOf('=');
    const name = line.slice(0, Math.max(0, equals));
    const row = Object.hasOwn(INVENTED, name) ? INVENTED[name as keyof typeof INVENTED] : undefined;
    const value = line.slice(equals + 1).trim();
    if (!row?.shape.test(value) || name in secrets) throw damaged(path, index + 1);
    secrets[name] = value;
  }
  return secrets;
}

function damaged(path: string, line: number): StackError {
  return new StackError(
    `${path} is damaged in line ${line}: restore it from a backup. Only if nothing stored is needed any more, remove the data directory to start afresh.`,
  );
}
