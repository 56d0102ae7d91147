// The floors of the house: a file may import from its own room and from rooms on lower floors, nothing else.
// ARCHITECTURE.md draws the same table; check-floors.ts holds the code to it.
export const FLOORS = {
  7: ['entry'],
  6: ['http'],
  5: ['chat', 'tools', 'jobs', 'gateway', 'stack', 'demo', 'local-integrations'],
  4: ['enforcement', 'connections', 'keys', 'audit'],
  3: [
    'receipts',
    'catalog',
    'providers',
    'nango',
    'broker',
    'sandbox',
    'tenancy',
    'identity',
    'postgres',
    'runtime-client',
    'clouds',
  ],
  2: ['store'],
  1: ['base', 'contract'],
} as const;

/** Rooms outside src/ and the only rooms of src/ they may look into. */
export const OUTSIDE = { web: ['contract'], cli: ['contract'] } as const;

/** The folders of web/, the highest first. What lies in web/ itself, such as the router, stands above them all. */
export const WEB_FLOORS = ['routes', 'shell', 'features', 'session', 'kit', 'api'] as const;

/** Every feature of web/ and which others it may import. Arrows go to features further down, so there is no circle. */
export const FEATURE_ARROWS = {
  account: ['chat'],
  chat: ['runs', 'mcp-gateway', 'integrations', 'models-and-keys'],
  runs: ['integrations', 'receipts', 'models-and-keys'],
  access: ['mcp-gateway'],
  'mcp-gateway': ['integrations', 'receipts', 'workspaces', 'models-and-keys'],
  integrations: [],
  receipts: [],
  workspaces: ['people'],
  people: [],
  guardrails: ['policies'],
  'models-and-keys': ['policies'],
  policies: [],
  plan: [],
  settings: [],
  reference: [],
} as const satisfies Record<string, readonly string[]>;

/** The rooms from which the service calls out over HTTP; `entry` sends figures to the collector that the operator names. */
export const CALLS_OUT = [
  'identity',
  'providers',
  'nango',
  'tools',
  'gateway',
  'broker',
  'stack',
  'local-integrations',
  'sandbox',
  'runtime-client',
  'clouds',
  'entry',
] as const;

/** The one file that reads the environment of the process. */
export const READS_ENVIRONMENT = 'src/base/config.ts';
