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
    'model-providers',
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

/** The rooms from which the service calls out over HTTP; `entry` sends figures to the collector that the operator names. */
export const CALLS_OUT = [
  'identity',
  'model-providers',
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
