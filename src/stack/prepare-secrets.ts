// Reads the secrets of earlier starts and adds those that are missing now.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment-values.ts';
import { DATABASE_PASSWORD, mergeSecrets, type Secrets } from './invent-secrets.ts';
import { readSecretsFile, writeSecretsFile } from './secrets-file.ts';
import { StackError } from './stack-error.ts';

export async function prepareSecrets(
  environment: Environment,
  directory: string,
  selected: readonly string[],
  say: (line: string) => void,
): Promise<Secrets> {
  const path = join(directory, '.env');
  const database = join(directory, 'postgres');
  const { values, kept, invented } = mergeSecrets(environment, await readSecretsFile(path), selected);
  if (invented.includes(DATABASE_PASSWORD) && existsSync(database)) {
    throw new StackError(
      `${path} is gone or lacks the password of the database in ${database}: restore it from a backup. Only if nothing stored is needed any more, remove the data directory to start afresh.`,
    );
  }
  if (invented.length > 0) {
    await writeSecretsFile(path, kept);
    say(`made new secrets in ${path}`);
  }
  return values;
}
