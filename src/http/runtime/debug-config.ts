import type { Config } from '../../base/config.ts';
import { ENVIRONMENT, type Variable } from '../../base/environment.ts';

export interface DescribedVariable {
  readonly name: string;
  readonly group: string;
  readonly source: 'environment' | 'file' | 'default' | 'unset';
  readonly secret: boolean;
  /** Always absent for secrets. */
  readonly value?: string | number | boolean;
  readonly help: string;
}

/** Every variable of the table: where its value comes from, and the value unless it is a secret. */
export function describeConfig(config: Config, environment: Record<string, string | undefined>): DescribedVariable[] {
  return Object.entries<Variable>(ENVIRONMENT).map(([name, variable]) => {
    const value = config[name as keyof Config];
    const given = (environment[name] ?? '').trim() !== '';
    const secret = variable.secret === true;
    return {
      name,
      group: variable.group,
      source: given ? 'environment' : value === undefined ? 'unset' : secret ? 'file' : 'default',
      secret,
      ...(secret || value === undefined || Buffer.isBuffer(value)
        ? {}
        : { value: typeof value === 'string' ? withoutCredentials(value) : value }),
      help: variable.help,
    };
  });
}

/** A URL may contain a user, a password or a key in its query even where none is expected. */
function withoutCredentials(value: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value) || !URL.canParse(value)) return value;
  const url = new URL(value);
  if (url.username === '' && url.password === '' && url.search === '') return value;
  return `${url.protocol}//${url.host}${url.pathname}`;
}
