import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { processEnvironment, readConfig } from '../../base/config.ts';
import { fileVariableOf } from '../../base/secret-files.ts';
import { isSet } from '../../stack/environment-values.ts';
import { ENVIRONMENT, ENVIRONMENT_PATTERNS, type Variable } from '../../base/environment.ts';

interface DescribedVariable {
  readonly name: string;
  readonly group: string;
  readonly takes: string;
  readonly default: string | null;
  readonly secret: boolean;
  readonly set: boolean;
  /** Of a secret: the variable that may name a file with it instead. */
  readonly file?: string;
  readonly help: string;
}

/** The table of variables, and which are set here; never a value. */
export function describeEnvironment(check: boolean): { variables: DescribedVariable[] } {
  const environment = processEnvironment();
  if (check) readConfig();
  const variables = Object.entries<Variable>(ENVIRONMENT).map(([name, variable]) => ({
    name,
    group: variable.group,
    takes: takes(variable),
    default: 'default' in variable && variable.default !== undefined ? String(variable.default) : null,
    secret: variable.secret === true,
    set: isSet(environment[name]) || isInFile(environment, name),
    ...(variable.secret ? { file: fileVariableOf(name) } : {}),
    help: variable.help,
  }));
  const patterns = ENVIRONMENT_PATTERNS.map(({ name, group, help, ...rest }) => ({
    name,
    group,
    takes: 'text',
    default: null,
    secret: 'secret' in rest,
    set: matches(environment, name) || ('secret' in rest && matches(environment, fileVariableOf(name))),
    ...('secret' in rest ? { file: fileVariableOf(name) } : {}),
    help,
  }));
  return { variables: [...variables, ...patterns] };
}

export function isInFile(environment: Readonly<Record<string, string | undefined>>, secret: string): boolean {
  const { CREDENTIALS_DIRECTORY: credentials } = environment;
  return isSet(environment[fileVariableOf(secret)]) || (isSet(credentials) && existsSync(join(credentials, secret)));
}

function takes(variable: Variable): string {
  switch (variable.kind) {
    case 'choice':
      return variable.oneOf.join(' | ');
    case 'integer':
      return `number ${variable.min} to ${variable.max}`;
    case 'dollars':
      return `dollars 0 to ${variable.max}`;
    case 'switch':
      return 'true | false';
    case 'exactly-1':
      return '1';
    case 'key32':
      return 'base64 of 32 bytes';
    case 'segment':
      return 'path segment';
    default:
      return variable.kind;
  }
}

function matches(environment: Record<string, string | undefined>, pattern: string): boolean {
  const [start = '', end = ''] = pattern.split('<PREFIX>');
  return Object.entries(environment).some(
    ([name, value]) => name.startsWith(start) && name.endsWith(end) && (value ?? '') !== '',
  );
}
