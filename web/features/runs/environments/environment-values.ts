// What the form of an environment holds, and how it becomes what is sent.
import type { FormErrors } from '@mantine/form';
import {
  ENVIRONMENT_LIMITS,
  ENVIRONMENT_NAME,
  PACKAGE_REGISTRIES,
} from '../../../../src/contract/environments/environment-rules.ts';
import type { EnvironmentContent, ShownEnvironment } from './queries.ts';
import { linesOf, readAssignments, writeAssignments } from './read-lines.ts';
import { environmentFormStrings as strings } from './strings.ts';

export type EnvironmentValues = {
  name: string;
  setup: string;
  variables: string;
  /** New ones, and new values. */
  secrets: string;
  keptSecrets: string[];
  secretVariables: string;
  hosts: string;
  packages: boolean;
  writableHosts: string;
  connection: string;
  repository: string;
  ref: string;
  minutes: string;
  memory: string;
};

export function toValues(environment: ShownEnvironment | undefined): EnvironmentValues {
  const { hosts = [], repository, limits } = environment ?? {};
  return {
    name: environment?.name ?? '',
    setup: environment?.setup ?? '',
    variables: writeAssignments(environment?.variables ?? {}),
    secrets: '',
    keptSecrets: [...(environment?.secrets ?? [])],
    secretVariables: (environment?.secretVariables ?? []).join(' '),
    hosts: hosts.filter((host) => host !== PACKAGE_REGISTRIES).join('\n'),
    packages: hosts.includes(PACKAGE_REGISTRIES),
    writableHosts: (environment?.writableHosts ?? []).join('\n'),
    connection: repository?.connection ?? '',
    repository: repository?.name ?? '',
    ref: repository?.ref ?? '',
    minutes: limits?.minutes === undefined ? '' : String(limits.minutes),
    memory: limits?.memoryMiB === undefined ? '' : String(limits.memoryMiB),
  };
}

export function findFaults(values: EnvironmentValues): FormErrors {
  const variables = readAssignments(values.variables);
  const secrets = readAssignments(values.secrets);
  const { maxMinutes, minMemoryMib, maxMemoryMib } = ENVIRONMENT_LIMITS;
  const [connection, repository] = [values.connection.trim(), values.repository.trim()];
  return {
    ...(ENVIRONMENT_NAME.test(values.name.trim()) ? {} : { name: strings.nameInvalid }),
    ...('wrong' in variables ? { variables: strings.variablesInvalid(variables.wrong) } : {}),
    // The line may hold the secret itself.
    ...('wrong' in secrets ? { secrets: strings.secretsInvalid } : {}),
    ...(repository !== '' && connection === '' ? { connection: strings.connectionRequired } : {}),
    ...(repository === '' && connection !== '' ? { repository: strings.repositoryRequired } : {}),
    ...(isWithin(values.minutes, 1, maxMinutes) ? {} : { minutes: strings.number(1, maxMinutes) }),
    ...(isWithin(values.memory, minMemoryMib, maxMemoryMib)
      ? {}
      : { memory: strings.number(minMemoryMib, maxMemoryMib) }),
  };
}

function isWithin(text: string, least: number, most: number): boolean {
  return text.trim() === '' || (/^\d{1,6}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most);
}

/** Secrets that are not kept are removed; `before` is what there was. */
export function toContent(values: EnvironmentValues, before: ShownEnvironment | undefined): EnvironmentContent {
  const given = assignedIn(values.secrets);
  const removed = (before?.secrets ?? []).filter((name) => !values.keptSecrets.includes(name));
  const secrets = { ...Object.fromEntries(removed.map((name) => [name, null])), ...given };
  const repository = values.repository.trim();
  const ref = values.ref.trim();
  return {
    setup: values.setup,
    variables: assignedIn(values.variables),
    secrets,
    secretVariables: values.secretVariables.split(/[\s,]+/).filter((name) => name !== ''),
    hosts: [...linesOf(values.hosts), ...(values.packages ? [PACKAGE_REGISTRIES] : [])],
    writableHosts: linesOf(values.writableHosts),
    ...(repository === ''
      ? {}
      : { repository: { connection: values.connection.trim(), name: repository, ...(ref === '' ? {} : { ref }) } }),
    limits: {
      ...(values.minutes.trim() === '' ? {} : { minutes: Number(values.minutes) }),
      ...(values.memory.trim() === '' ? {} : { memoryMiB: Number(values.memory) }),
    },
  };
}

function assignedIn(text: string): Record<string, string> {
  const read = readAssignments(text);
  return 'values' in read ? read.values : {};
}

/** The field of the form that a field of the request belongs to. */
export function fieldOf(field: string): string | undefined {
  const [first = '', second] = field.split('.');
  if (first === 'repository') return second === 'connection' || second === 'ref' ? second : 'repository';
  if (first === 'limits') return second === 'memoryMiB' ? 'memory' : 'minutes';
  const own = ['setup', 'variables', 'secrets', 'secretVariables', 'hosts', 'writableHosts', 'name'];
  return own.find((name) => name === first);
}
