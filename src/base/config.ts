// The only place that reads the environment. An invalid value stops the process with one line that names the variable
// and the values it accepts; the value itself is never repeated, because it may be a misplaced secret.
import { ENVIRONMENT, type Variable, type VariableName } from './environment.ts';
import { parseMailAddress } from './mail-address.ts';
import { parseDomains } from './domains.ts';
import { parseNetworks } from './networks.ts';
import { parseOrigins } from './origins.ts';
import { splitHosts } from './postgres-hosts.ts';
import { withSecretFiles } from './secret-files.ts';

type ValueOf<V> = V extends { kind: 'integer' | 'port' | 'dollars' }
  ? number
  : V extends { kind: 'switch' | 'exactly-1' }
    ? boolean
    : V extends { kind: 'key32' }
      ? Buffer
      : V extends { kind: 'choice'; oneOf: readonly (infer Choice)[] }
        ? Choice
        : string;

export type Config = {
  readonly [Name in VariableName]: (typeof ENVIRONMENT)[Name] extends { default: unknown }
    ? ValueOf<(typeof ENVIRONMENT)[Name]>
    : ValueOf<(typeof ENVIRONMENT)[Name]> | undefined;
};

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export function readConfig(given: Record<string, string | undefined> = process.env): Config {
  const environment = completeEnvironment(given);
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries<Variable>(ENVIRONMENT)) {
    const raw = variable.exact ? environment[name] : environment[name]?.trim();
    // An empty value counts as absent: compose files and unit files write `NAME=` for "not set".
    if (raw === undefined || raw === '') values[name] = 'default' in variable ? variable.default : undefined;
    else values[name] = parse(name, variable, raw);
  }
  return values as Config;
}

/** The environment with the secrets that are in files. */
export function completeEnvironment(
  given: Record<string, string | undefined> = process.env,
): Record<string, string | undefined> {
  const { environment, refused } = withSecretFiles(given);
  for (const sentence of refused.values()) throw new ConfigError(sentence);
  return environment;
}

/** The raw environment, for what looks at it as it was given. */
export function processEnvironment(): Record<string, string | undefined> {
  return { ...process.env };
}

/** Kinds that are kept as they were given. */
const CHECKED = {
  identifier: {
    accepts: (raw) => /^[a-z_][a-z0-9_]{0,62}$/.test(raw),
    takes: 'a lower-case SQL identifier of at most 63 characters',
  },
  segment: {
    accepts: (raw) => /^[A-Za-z0-9][\w.~-]{0,127}$/.test(raw),
    takes: 'letters, digits and . _ ~ -, at most 128, because it is a part of a path; the first is a letter or a digit',
  },
  'redis-url': {
    accepts: (raw) => isUrl(raw, ['redis:', 'rediss:', 'valkey:', 'valkeys:']),
    takes: 'a URL of the form redis://host:port',
  },
  'smtp-url': {
    accepts: (raw) => raw === 'off' || isMailServer(raw),
    takes: 'a URL of the form smtp://user:password@host:587 or smtps://user:password@host:465, or off',
  },
  'mail-address': {
    accepts: (raw) => parseMailAddress(raw) !== undefined,
    takes: 'one address, such as service@example.com or Service <service@example.com>',
  },
  networks: {
    accepts: (raw) => parseNetworks(raw) !== undefined,
    takes: 'addresses and networks, separated by commas, such as 10.0.0.0/8,192.0.2.7',
  },
  origins: {
    accepts: (raw) => parseOrigins(raw) !== undefined,
    takes: 'origins as browsers send them, separated by commas, such as https://app.example.com,http://localhost:5173',
  },
  domains: {
    accepts: (raw) => parseDomains(raw) !== undefined,
    takes: 'domain names, separated by commas, such as example.com,example.org',
  },
} as const satisfies Record<string, { readonly accepts: (raw: string) => boolean; readonly takes: string }>;

function isChecked(kind: Variable['kind']): kind is keyof typeof CHECKED {
  return Object.hasOwn(CHECKED, kind);
}

function parse(name: string, variable: Variable, raw: string): unknown {
  const refuse = (takes: string): never => {
    throw new ConfigError(`${name} takes ${takes}.`);
  };
  const { kind } = variable;
  if (isChecked(kind)) return CHECKED[kind].accepts(raw) ? raw : refuse(CHECKED[kind].takes);
  switch (variable.kind) {
    case 'text':
    case 'path':
      return raw;
    case 'url':
      if (variable.off && raw === 'off') return raw;
      if (variable.unix && raw.startsWith('unix:/')) return raw;
      return isUrl(raw, ['http:', 'https:'])
        ? variable.keepSlash
          ? raw
          : raw.replace(/\/+$/, '')
        : refuse(
            `an http or https URL${variable.off ? ' or off' : ''}${variable.unix ? ' or unix:/path/to/socket' : ''}`,
          );
    case 'postgres-url':
      return (variable.hosts ? splitHosts(raw) : [raw]).every((one) => isUrl(one, ['postgres:', 'postgresql:']))
        ? raw
        : refuse('a URL of the form postgresql://user:password@host:port/database');
    case 'key32':
      return (
        decodeKey32(raw) ?? refuse('base64 that decodes to exactly 32 bytes (make one with: openssl rand -base64 32)')
      );
    case 'email':
      return /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(raw) ? raw.toLowerCase() : refuse('an email address');
    case 'switch': {
      const word = raw.toLowerCase();
      if (word === 'true' || word === '1') return true;
      if (word === 'false' || word === '0') return false;
      return refuse('true or false (1 or 0)');
    }
    case 'exactly-1':
      return raw === '1';
    case 'port':
      return wholeNumber(raw, 1, 65_535) ?? refuse('a port number from 1 to 65535');
    case 'integer':
      return (
        wholeNumber(raw, variable.min, variable.max) ?? refuse(`a whole number from ${variable.min} to ${variable.max}`)
      );
    case 'dollars':
      return (
        (/^\d{1,12}(?:\.\d{1,2})?$/.test(raw) && Number(raw) <= variable.max ? Number(raw) : undefined) ??
        refuse(`US dollars from 0 to ${variable.max}, such as 50 or 12.50`)
      );
    case 'choice':
      return variable.oneOf.includes(raw)
        ? raw
        : refuse(variable.oneOf.length === 1 ? `only ${variable.oneOf[0]}` : `one of ${variable.oneOf.join(', ')}`);
  }
}

function isUrl(text: string, protocols: string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

/** A user without a password, a path or a query is a mistake. */
function isMailServer(text: string): boolean {
  if (!isUrl(text, ['smtp:', 'smtps:'])) return false;
  const { hostname, username, password, pathname, search, hash } = new URL(text);
  return hostname !== '' && (username === '') === (password === '') && /^\/?$/.test(pathname) && search + hash === '';
}

function wholeNumber(text: string, min: number, max: number): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

function decodeKey32(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 ? bytes : undefined;
}
