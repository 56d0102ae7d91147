// A secret may be in a file instead of the environment, where every child process and anyone who may look at the process
// would see it: NAME_FILE names the file, or systemd passes it as the credential NAME. It is read once, at the start. A
// secret that is given twice is refused, because it would depend on us which one counts.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ENVIRONMENT, ENVIRONMENT_PATTERNS, type Variable } from './environment.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface CompleteEnvironment {
  /** With the secrets of all files that could be read, and without the variables that name files. */
  readonly environment: Record<string, string | undefined>;
  /** One sentence about each secret that could not be read. */
  readonly refused: ReadonlyMap<string, string>;
}

const MAX_BYTES = 64 * 1024;
const SUFFIX = '_FILE';
const SECRETS: readonly string[] = Object.entries<Variable>(ENVIRONMENT)
  .filter(([, { secret }]) => secret)
  .map(([name]) => name);
const PATTERNS = ENVIRONMENT_PATTERNS.filter((row) => 'secret' in row).map(
  ({ name }) => new RegExp(`^${name.replace('<PREFIX>', '[A-Z0-9_]+')}$`),
);

export function fileVariableOf(secret: string): string {
  return `${secret}${SUFFIX}`;
}

/** The secret whose file a variable names; undefined for every other variable. */
export function secretOfFileVariable(variable: string): string | undefined {
  if (!variable.endsWith(SUFFIX)) return undefined;
  const secret = variable.slice(0, -SUFFIX.length);
  return SECRETS.includes(secret) || PATTERNS.some((pattern) => pattern.test(secret)) ? secret : undefined;
}

export function withSecretFiles(given: Environment): CompleteEnvironment {
  const environment: Record<string, string | undefined> = { ...given };
  const refused = new Map<string, string>();
  const take = (secret: string, path: string, source: string): void => {
    delete environment[fileVariableOf(secret)];
    if (refused.has(secret)) return;
    if (isSet(environment[secret])) {
      refused.set(secret, `${secret} is given twice, also by ${source}: keep one of them.`);
      return;
    }
    const read = readSecret(path);
    if (typeof read === 'string') environment[secret] = read;
    else refused.set(secret, `${source} ${read.fault}.`);
  };
  for (const [variable, path] of Object.entries(given)) {
    const secret = secretOfFileVariable(variable);
    if (secret !== undefined && isSet(path)) take(secret, path.trim(), variable);
  }
  const { CREDENTIALS_DIRECTORY: directory } = given;
  if (isSet(directory))
    for (const secret of SECRETS) {
      const path = join(directory, secret);
      if (statSync(path, { throwIfNoEntry: false }) !== undefined) take(secret, path, `the credential ${secret}`);
    }
  return { environment, refused };
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

/** The path is not repeated in a fault: it may be a secret that was put into the wrong variable. */
function readSecret(path: string): string | { readonly fault: string } {
  try {
    const found = statSync(path);
    // A pipe would keep the process waiting for a writer.
    if (!found.isFile()) return { fault: 'does not name a regular file' };
    if (found.size > MAX_BYTES) return { fault: `names a file of more than ${MAX_BYTES / 1024} KiB` };
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)).replace(/\r?\n$/, '');
    if (text.trim() === '') return { fault: 'names an empty file' };
    return /[\0\r\n]/.test(text) ? { fault: 'names a file with more than one line' } : text;
  } catch (error) {
    const { code = 'not UTF-8' } = error as NodeJS.ErrnoException;
    return { fault: `names a file that cannot be read (${code})` };
  }
}
