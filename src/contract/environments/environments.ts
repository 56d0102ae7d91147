// Environments: what runs of a workspace work in. Their names are unique in a workspace.
import { z } from 'zod';
import { done, id, nextCursor, page, timestamp } from '../common.ts';
import { needsScope } from '../needs-scope.ts';
import {
  ENVIRONMENT_LIMITS,
  ENVIRONMENT_NAME,
  HOST_NAME,
  isReservedVariable,
  PACKAGE_REGISTRIES,
  VARIABLE_NAME,
} from './environment-rules.ts';

export const environmentName = z
  .string()
  .regex(ENVIRONMENT_NAME, 'lower-case letters, digits and hyphens, at most 63 characters, not a hyphen first');

const withoutNull = (text: string): boolean => !text.includes('\0');
const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

const variableName = z
  .string()
  .regex(VARIABLE_NAME, 'letters, digits and underscores, at most 128 characters, not a digit first')
  .refine((name) => !isReservedVariable(name), 'is a variable of the sandbox itself: choose another name');

const variables = z
  .record(
    variableName,
    z.string().max(ENVIRONMENT_LIMITS.variableChars).refine(withoutNull, 'must not contain a null character'),
  )
  .refine(
    (all) => Object.keys(all).length <= ENVIRONMENT_LIMITS.variables,
    `at most ${ENVIRONMENT_LIMITS.variables} variables`,
  );

/** Sent as a header or read by a program, a line break would be the beginning of something else. */
const secretValue = z
  .string()
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII characters without line breaks')
  .refine((text) => text.trim() === text, 'begins or ends with a space')
  .refine(
    (text) => text.length >= ENVIRONMENT_LIMITS.secretMinChars,
    `must have at least ${ENVIRONMENT_LIMITS.secretMinChars} characters: what is shorter cannot be struck out of what a run prints; make it a variable if it is no secret`,
  )
  .refine((text) => bytesOf(text) <= ENVIRONMENT_LIMITS.secretBytes, `at most ${ENVIRONMENT_LIMITS.secretBytes} bytes`);

const hosts = z
  .array(
    z
      .string()
      .toLowerCase()
      .refine(
        (host) => host === PACKAGE_REGISTRIES || HOST_NAME.test(host),
        `must be the exact name of a host, such as api.example.com, or ${PACKAGE_REGISTRIES}`,
      ),
  )
  .max(ENVIRONMENT_LIMITS.hosts);

const repository = z.strictObject({
  /** A connection of the workspace to a code host. */
  connection: id,
  name: z
    .string()
    .max(200)
    .regex(/^[\w.-]+(?:\/[\w.-]+)+$/, 'must be owner/name')
    .refine((text) => !/(?:^|\/)\.{1,2}(?:\/|$)/.test(text), 'must be owner/name'),
  ref: z
    .string()
    .max(200)
    .regex(/^(?!-)[\w./+@-]+$/, 'must be a branch, a tag or a commit')
    .optional(),
});

const limits = z.strictObject({
  minutes: z.number().int().min(1).max(ENVIRONMENT_LIMITS.maxMinutes).optional(),
  memoryMiB: z.number().int().min(ENVIRONMENT_LIMITS.minMemoryMib).max(ENVIRONMENT_LIMITS.maxMemoryMib).optional(),
});

const content = z.strictObject({
  setup: z
    .string()
    .refine(withoutNull, 'must not contain a null character')
    .refine(
      (text) => bytesOf(text) <= ENVIRONMENT_LIMITS.setupBytes,
      `at most ${ENVIRONMENT_LIMITS.setupBytes / 1024} KiB`,
    )
    .optional(),
  variables: variables.optional(),
  /** Values are never answered. A name that is left out keeps its value; `null` removes it. */
  secrets: z.record(variableName, secretValue.nullable()).optional(),
  /** Secrets that commands get as they are. Of the others they get a placeholder. */
  secretVariables: z.array(variableName).max(ENVIRONMENT_LIMITS.secrets).optional(),
  /** May be asked for with GET and HEAD. */
  hosts: hosts.optional(),
  /** May be asked for with every method. */
  writableHosts: hosts.optional(),
  repository: repository.optional(),
  limits: limits.optional(),
});
export type EnvironmentContent = z.infer<typeof content>;

const environment = z.object({
  id,
  name: z.string(),
  workspace: id,
  setup: z.string().optional(),
  variables: z.record(z.string(), z.string()),
  /** Their names. */
  secrets: z.array(z.string()),
  secretVariables: z.array(z.string()),
  hosts: z.array(z.string()),
  writableHosts: z.array(z.string()),
  repository: z.object({ connection: id, name: z.string(), ref: z.string().optional() }).optional(),
  limits: z.object({ minutes: z.number().int().optional(), memoryMiB: z.number().int().optional() }),
  createdBy: id,
  createdAt: timestamp,
  updatedAt: timestamp,
  /** Whether the caller may change and delete it. */
  editable: z.boolean(),
});
export type EnvironmentOnWire = z.infer<typeof environment>;

const setup = z.object({
  digest: z.string(),
  state: z.enum(['building', 'ready', 'failed']),
  log: z.string(),
  bytes: z.number().int(),
  startedAt: timestamp,
  endedAt: timestamp.optional(),
});

const named = { params: z.object({ name: environmentName }), query: z.strictObject({ workspace: id.optional() }) };
const tags = ['Environments'];
const [reading, writing] = [needsScope('jobs:read', 'database'), needsScope('jobs:write', 'database')];

export const environments = {
  list: reading
    .route({
      method: 'GET',
      path: '/environments',
      tags,
      summary: "Environments of the caller's workspaces, by name",
      description: 'Those of `workspace`; without it, those of all workspaces that the caller sees.',
    })
    .input(z.strictObject({ workspace: id.optional(), ...page }))
    .output(z.object({ environments: z.array(environment), ...nextCursor })),
  get: reading
    .route({ method: 'GET', path: '/environments/{name}', tags, summary: 'An environment' })
    .input(z.strictObject({ name: environmentName, workspace: id.optional() }))
    .output(z.object({ environment })),
  put: writing
    .route({
      method: 'PUT',
      path: '/environments/{name}',
      inputStructure: 'detailed',
      tags,
      summary: 'Make or replace an environment',
      description: `By owners and admins of the workspace and the organization. What is left out becomes empty, except for secrets: one that is left out keeps its value, \`null\` removes it. 409 \`too_many_environments\` beyond ${ENVIRONMENT_LIMITS.environments} per workspace.`,
    })
    .input(z.object({ ...named, body: content }))
    .output(z.object({ environment })),
  setup: reading
    .route({
      method: 'GET',
      path: '/environments/{name}/setup',
      tags,
      summary: 'What the script of an environment printed, newest build first',
      description:
        'The script runs once for each version of itself, its variables and the kind of sandbox, when the first run needs it. `state` is `building`, `ready` or `failed`; `log` grows while it is built.',
    })
    .input(z.strictObject({ name: environmentName, workspace: id.optional() }))
    .output(z.object({ setups: z.array(setup) })),
  rebuild: writing
    .route({
      method: 'POST',
      path: '/environments/{name}/rebuild',
      inputStructure: 'detailed',
      tags,
      summary: 'Run the script of an environment again, before the next run that needs it',
      description: 'By owners and admins of the workspace and the organization. A build that is under way is given up.',
    })
    .input(z.object(named))
    .output(done),
  remove: writing
    .route({
      method: 'DELETE',
      path: '/environments/{name}',
      inputStructure: 'detailed',
      tags,
      summary: 'Delete an environment, with its secrets',
      description: 'Runs that have begun go on. One that would begin in it fails.',
    })
    .input(z.object(named))
    .output(done),
};
