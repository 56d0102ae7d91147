// The secrets that are known to the operator's tools, in the forms in which a text could repeat them: whatever is
// written for people has them removed, in case a secret got into it.
import { ENVIRONMENT, type Variable } from '../../../base/environment.ts';
import { secretOfFileVariable, fileVariableOf } from '../../../base/secret-files.ts';
import { secretValues } from '../../../base/secret-values.ts';
import type { Deployment } from './deployment.ts';

/** A shorter value would match ordinary text. */
const SHORTEST = 8;
/** Of other programs: the integration provider, the containers, whatever else is in the operator's shell. */
const OTHERS = /(?:PASSWORD|SECRET|TOKEN|_KEY|_KEY_B64)(?:_PROD|_OLD)?$/;

export function knownSecrets({ config, environment }: Pick<Deployment, 'config' | 'environment'>): string[] {
  const given = Object.entries(environment).flatMap(([name, value = '']) => [
    // As it was given: one that the service refuses is not in the configuration.
    ...(isSecret(name) ? [value.trim()] : []),
    ...credentialsOf(value),
  ]);
  const found = new Set([...secretValues(config), ...given].filter((value) => value.length >= SHORTEST));
  // The longest first: one may be a part of another.
  return [...new Set([...found].flatMap(formsOf))].toSorted((one, other) => other.length - one.length);
}

function isSecret(name: string): boolean {
  const variable: Variable | undefined = Object.hasOwn(ENVIRONMENT, name)
    ? ENVIRONMENT[name as keyof typeof ENVIRONMENT]
    : undefined;
  return variable?.secret === true || OTHERS.test(name) || secretOfFileVariable(fileVariableOf(name)) !== undefined;
}

/** What is before the host of a URL, encoded and not. */
function credentialsOf(value: string): string[] {
  if (!value.includes('://') || !URL.canParse(value)) return [];
  const { password } = new URL(value);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

function formsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
}
