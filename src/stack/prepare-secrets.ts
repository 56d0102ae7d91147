// Reads the secrets of earlier starts and adds missing ones.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment-values.ts';
import { DATABASE_PASSWORD, mergeSecrets, type Secrets } from './generate-secrets.ts';
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
  const { values, kept, generated } = mergeSecrets(environment, await readSecretsFile(path), selected);
  if (generated.includes(DATABASE_PASSWORD) && existsSync(database)) {
    throw new StackError(
      `${path} is gone or lacks the password of the database in ${database}: restore it from a backup. If you no longer need anything stored there, remove the data directory to start over.`,
    );
  }
  if (generated.length > 0) {
    await writeSecretsFile(path, kept);
    say(`made new secrets in ${path}`);
  }
  return values;
}
