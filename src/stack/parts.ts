// Everything npm start runs, in the order in which it starts; it stops in the reverse order. A part starts as soon
// as the parts it names under `after` answer, so all that only need the database start at once.
import type { Group, VariableName } from '../base/environment.ts';
import { type Environment, isSet } from './environment-values.ts';
import type { PortName } from './plan-ports.ts';

export type Health =
  /** Answers 200 to a GET of this path on its port. */
  | { readonly by: 'http'; readonly path: string }
  /** Accepts connections on its port, at the address that the variable names if it does. */
  | { readonly by: 'tcp'; readonly host: VariableName }
  /** Says so itself, over the channel it was started with. */
  | { readonly by: 'message' };

export interface PartRow {
  /** The program, dist/<bundle>.js. PostgreSQL alone has none: see run-postgres.ts. */
  readonly bundle?: string;
  /** SERVICE_PROCESS_ROLE of a runtime process. */
  readonly role?: string;
  readonly after: readonly string[];
  readonly ports: readonly PortName[];
  readonly health: Health;
  /** Whose variables it is given, secrets excepted: see secret-readers.ts. */
  readonly groups: readonly Group[];
  /** Whether the environment says that a real one is already there, or that none is wanted. */
  readonly skipped?: (environment: Environment) => boolean;
}

const MESSAGE = { by: 'message' } as const;
const HEALTHZ = { by: 'http', path: '/healthz' } as const;
const RUNTIME: Pick<PartRow, 'bundle' | 'after' | 'groups'> = {
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
};
const MODEL_PROVIDERS = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_URL', 'ANTHROPIC_API_URL'];

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
  sandbox: {
    bundle: 'sandbox',
    after: [],
    ports: [],
    health: MESSAGE,
    groups: ['Process', 'Addresses', 'Runtime'],
    // A socket of another name is still ours to serve; a URL is a controller elsewhere.
    skipped: (environment) => /^https?:/.test(environment.SERVICE_SANDBOX_URL?.trim() ?? ''),
  },
  web: {
    bundle: 'web',
    after: ['postgres'],
    ports: ['web'],
    health: HEALTHZ,
    groups: ['Process', 'Addresses', 'Storage', 'Identity', 'Chat', 'Provider keys', 'Integrations', 'Diagnostics'],
  },
  'runtime-api': { ...RUNTIME, role: 'api', ports: ['runtime'], health: HEALTHZ },
  'runtime-driver': { ...RUNTIME, role: 'driver', ports: [], health: MESSAGE },
  'runtime-worker-chat': { ...RUNTIME, role: 'worker-chat', ports: [], health: MESSAGE },
  'runtime-worker-control': { ...RUNTIME, role: 'worker-control', ports: [], health: MESSAGE },
  'runtime-worker-codex': { ...RUNTIME, role: 'worker-codex', ports: [], health: MESSAGE },
  gateway: {
    bundle: 'gateway',
    after: ['web', 'runtime-api'],
    ports: ['gateway'],
    health: { by: 'tcp', host: 'SERVICE_GATEWAY_HOST' },
    groups: ['Process', 'Addresses', 'Integrations', 'Gateway'],
  },
} as const satisfies Record<string, PartRow>;

export type PartName = keyof typeof PARTS;
export type PartTable = Readonly<Record<string, PartRow>>;

/** The parts to start. One whose program was not built is left out. */
export function selectParts(
  table: PartTable,
  environment: Environment,
  isBuilt: (bundle: string) => boolean,
): string[] {
  return Object.entries(table)
    .filter(([, row]) => !row.skipped?.(environment) && (row.bundle === undefined || isBuilt(row.bundle)))
    .map(([name]) => name);
}
