/** The index of the diagnostics, also used by the printed contract. */
export const DEBUG_INDEX = {
  'GET /service-debug/health': 'every check with its result',
  'GET /service-debug/processes': 'every process of every role, with memory, CPU and event-loop delay',
  'GET /service-debug/config': 'every environment variable and where its value comes from; secrets are never shown',
  'GET /service-debug/database':
    'pool, schema, search path, migrations, table sizes, connections, slowest statements of this process',
  'GET /service-debug/receipts':
    'counts, streams by kind, longest streams, checkpoints, slowest receipt statements of this process',
  'GET /service-debug/jobs':
    "runs by status, why some are waiting, which are refused because of their receipt chain, how many ended recently, the service's own last jobs, and the broker with its groups, streams and leases",
  'GET /service-debug/broker': 'task groups, streams, leases and waiting tasks, as reported by the broker',
  'GET /service-debug/sandbox':
    'the sandbox controller: its driver, how each limit is enforced and the number of sandboxes, or why it executes no runs and how to fix it',
  'POST /service-debug/jobs':
    'body {"task": "checkpoint" | "verify-chains" | "retention" | "read-repair"}: starts a job of the service itself',
  'POST /service-debug/organizations':
    'body {"name": …, "ownerEmail": …, "plan"?: …}: creates an organization; its owner is the account with that address, or the person who accepts the invitation that is returned instead',
  'PUT /service-debug/organizations/:org/plan': 'body {"plan": …}: changes the plan of an organization, by id or slug',
} as const;
