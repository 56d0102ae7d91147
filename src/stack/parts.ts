// Everything npm start runs, in start order; it stops in reverse order. A part starts as soon as the parts listed under
// `after` answer, so the parts that need only the database start together.
import type { Group, VariableName } from '../base/environment.ts';
import { PROCESS_ROLES, RUNTIME_ROLES, type RuntimeRole } from '../process/process-roles.ts';
import { type Environment, isSet } from './environment-values.ts';
import type { PortName } from './plan-ports.ts';
import { PROVIDERS } from '../model-providers/providers.ts';

export type Health =
  /** Answers 200 to a GET of this path on its port. */
  | { readonly by: 'http'; readonly path: string }
  /** Accepts connections on its port, at the address in this variable if it is set. */
  | { readonly by: 'tcp'; readonly host: VariableName }
  /** Sends a message over the channel it was started with. */
  | { readonly by: 'message' };

export interface PartRow {
  /** The program, dist/<bundle>.js. Only PostgreSQL has none: see run-postgres.ts. */
  readonly bundle?: string;
  /** SERVICE_PROCESS_ROLE of a runtime process. */
  readonly role?: string;
  readonly after: readonly string[];
  /** Parts that are stopped together with it: it passes on the last words of their answers. */
  readonly stopsWith?: readonly string[];
  readonly ports: readonly PortName[];
  readonly health: Health;
  /** The groups of variables that it gets. Secrets are decided in secret-readers.ts. */
  readonly groups: readonly Group[];
  /** True if the environment names a real one, or says that none is wanted. */
  readonly skipped?: (environment: Environment) => boolean;
}

const MESSAGE = { by: 'message' } as const;
const HEALTHZ = { by: 'http', path: '/healthz' } as const;
const BINDS_PORT = { ports: ['runtime'], health: HEALTHZ } as const;
const RUNTIME = {
  bundle: 'runtime',
  after: ['postgres'],
  groups: [
    'Process',
    'Addresses',
    'Storage',
    'Identity',
    'Chat',
    'Provider keys',
    'Integrations',
    'Runtime',
    'Diagnostics',
  ],
} as const satisfies Partial<PartRow>;
/** Each role is a part, in the order of the table. */
const ROLE_PARTS = Object.fromEntries(
  RUNTIME_ROLES.map((role): [`runtime-${RuntimeRole}`, PartRow] => [
    `runtime-${role}`,
    { ...RUNTIME, role, ...(PROCESS_ROLES[role].bindsPort ? BINDS_PORT : { ports: [], health: MESSAGE }) },
  ]),
) as Record<`runtime-${RuntimeRole}`, PartRow>;
const MODEL_PROVIDERS = Object.values(PROVIDERS).flatMap(({ keyVariable, urlVariable }) => [keyVariable, urlVariable]);

export const PARTS = {
  postgres: {
    after: [],
    ports: ['postgres'],
    health: MESSAGE,
    groups: [],
    skipped: (environment) => isSet(environment.SERVICE_UPSTREAM_DB),
  },
  broker: {
    bundle: 'broker',
    after: ['postgres'],
    ports: ['broker'],
    health: HEALTHZ,
    groups: ['Process', 'Addresses', 'Storage', 'Runtime'],
    skipped: (environment) => isSet(environment.SERVICE_BROKER_URL),
  },
  'local-integrations': {
    bundle: 'local-integrations',
    after: ['postgres'],
    ports: ['integrations', 'integrationsConnect'],
    health: MESSAGE,
    groups: ['Process', 'Addresses', 'Integrations'],
    skipped: (environment) => isSet(environment.SERVICE_INTEGRATIONS_URL),
  },
  'demo-providers': {
    bundle: 'demo-providers',
    after: [],
    ports: ['demoProviders'],
    health: MESSAGE,
    groups: ['Process', 'Addresses'],
    skipped: (environment) => MODEL_PROVIDERS.some((name) => isSet(environment[name])),
  },
  'local-mailbox': {
    bundle: 'local-mailbox',
    after: [],
    ports: ['mailbox', 'mailboxSmtp'],
    health: MESSAGE,
    groups: ['Process', 'Addresses'],
    skipped: (environment) => isSet(environment.SERVICE_SMTP_URL) || isSet(environment.SERVICE_MAIL_FROM),
  },
  sandbox: {
    bundle: 'sandbox',
    after: [],
    ports: [],
    health: MESSAGE,
    groups: ['Process', 'Addresses', 'Runtime'],
    // A socket with another name is still served here; a URL means a controller elsewhere.
    skipped: (environment) => /^https?:/.test(environment.SERVICE_SANDBOX_URL?.trim() ?? ''),
  },
  web: {
    bundle: 'web',
    after: ['postgres'],
    ports: ['web'],
    health: HEALTHZ,
    groups: ['Process', 'Addresses', 'Storage', 'Identity', 'Chat', 'Provider keys', 'Integrations', 'Diagnostics'],
  },
  ...ROLE_PARTS,
  gateway: {
    bundle: 'gateway',
    after: ['web', 'runtime-api'],
    stopsWith: ['web'],
    ports: ['gateway'],
    health: { by: 'tcp', host: 'SERVICE_GATEWAY_HOST' },
    groups: ['Process', 'Addresses', 'Integrations', 'Gateway'],
  },
} as const satisfies Record<string, PartRow>;

export type PartName = keyof typeof PARTS;
export type PartTable = Readonly<Record<string, PartRow>>;

/** The parts to start. A part whose program was not built is left out. */
export function selectParts(
  table: PartTable,
  environment: Environment,
  isBuilt: (bundle: string) => boolean,
): string[] {
  return Object.entries(table)
    .filter(([, row]) => !row.skipped?.(environment) && (row.bundle === undefined || isBuilt(row.bundle)))
    .map(([name]) => name);
}
