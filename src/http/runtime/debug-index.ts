/** What the diagnostics answer at their root, and what the printed contract says of them. */
export const DEBUG_INDEX = {
  'GET /service-debug/health': 'every check with what it saw',
  'GET /service-debug/processes': 'every process of every role, with memory, processor and event-loop delay',
  'GET /service-debug/config':
    'every environment variable: where its value comes from; values of secrets are never shown',
  'GET /service-debug/database':
    'pool, schema, search path, migrations, table sizes, connections, slowest statements of this process',
  'GET /service-debug/receipts':
    'counts, streams by kind, longest streams, checkpoints, slowest receipt statements of this process',
  'GET /service-debug/jobs':
    'runs by status, why some wait, which are refused for their chain, how many ended lately, the last jobs of the service itself, and the broker with its groups, streams and leases',
  'GET /service-debug/broker': 'task groups, streams, leases and waiting tasks, as the broker says',
  'GET /service-debug/sandbox':
    'the sandbox controller: its driver, by which means each limit is enforced and how many sandboxes there are, or why it executes no run and what to do',
  'POST /service-debug/jobs':
    'body {"task": "checkpoint" | "verify-chains" | "retention" | "read-repair"}: starts a job of the service itself',
  'POST /service-debug/organizations':
    'body {"name": …, "ownerEmail": …, "plan"?: …}: makes an organization; its owner is the account with that address, or whoever accepts the invitation that is answered in its place',
  'PUT /service-debug/organizations/:org/plan':
    'body {"plan": …}: puts an organization, by id or slug, on another plan',
} as const;
