// The floors of the house: a file may import from its own room and from rooms on lower floors, nothing else.
// ARCHITECTURE.md draws the same table; check-floors.ts holds the code to it.
export const FLOORS = {
  7: ['entry'],
  6: ['http', 'engines'],
  5: ['chat', 'tools', 'runs', 'gateway', 'stack'],
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
  1: ['base', 'contract', 'timing'],
} as const;

/** Floors inside a room, under the same rule; '.' stands for the files that lie in the room itself. */
export const INNER_FLOORS: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
  http: {
    4: ['.'],
    3: ['reference'],
    2: ['web', 'v1', 'runtime', 'mcp', 'oauth', 'broker', 'sandbox'],
    1: ['shell'],
  },
};

/** Rooms outside src/ and the only rooms of src/ they may look into. */
export const OUTSIDE = {
  web: ['contract'],
  cli: ['contract'],
  'stand-ins/models': ['base', 'catalog'],
  'stand-ins/nango': ['base', 'catalog', 'store'],
} as const;

/** The only room of src/ that may look into the stand-ins: it starts them as processes of their own. */
export const STARTS_STAND_INS = 'entry';

/** The folders of web/, the highest first. What lies in web/ itself, such as the router, stands above them all. */
export const WEB_FLOORS = ['shell', 'features', 'session', 'kit', 'api'] as const;

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
  'sandbox',
  'runtime-client',
  'clouds',
  'entry',
] as const;

/** The one file that reads the environment of the process. */
export const READS_ENVIRONMENT = 'src/base/config.ts';
