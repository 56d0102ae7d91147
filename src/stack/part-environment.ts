// The environment of each part: what every program needs from the machine, the variables of its groups, and the secrets
// it may read. Nothing else from the environment of npm start reaches a part.
import { ENVIRONMENT, type Variable } from '../base/environment.ts';
import { type Environment, isSet } from './environment-values.ts';
import type { PartRow } from './parts.ts';
import { SECRET_READERS, STANDS_IN_FOR } from './secret-readers.ts';

const SYSTEM = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TMPDIR',
  'LANG',
  'LANGUAGE',
  'TZ',
  'NODE_ENV',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'NODE_COMPILE_CACHE',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_USE_ENV_PROXY',
];

export function partEnvironment(name: string, row: PartRow, environment: Environment): Record<string, string> {
  const given: Record<string, string> = {};
  const hand = (variable: string): void => {
    const value = environment[variable];
    if (isSet(value)) given[variable] = value;
  };
  for (const variable of Object.keys(environment))
    if (SYSTEM.includes(variable) || variable.startsWith('LC_')) hand(variable);
  for (const [variable, { secret, group }] of Object.entries<Variable>(ENVIRONMENT)) {
    if (secret ? isReader(name, variable, environment) : row.groups.includes(group)) hand(variable);
  }
  delete given.SERVICE_PROCESS_ROLE;
  return row.role === undefined ? given : { ...given, SERVICE_PROCESS_ROLE: row.role };
}

function isReader(part: string, secret: string, environment: Environment): boolean {
  const readers: Readonly<Record<string, readonly string[]>> = SECRET_READERS;
  const other = (STANDS_IN_FOR as Readonly<Record<string, string>>)[secret];
  return (
    readers[secret]?.includes(part) === true ||
    (other !== undefined && !isSet(environment[other]) && readers[other]?.includes(part) === true)
  );
}
