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
    'body {"task": "checkpoint" | "verify-chains" | "retention" | "read-repair" | "erase" | "mail" | "cap-warnings"}: starts a job of the service itself',
  'POST /service-debug/organizations':
    'body {"name": …, "ownerEmail": …, "plan"?: …}: creates an organization; its owner is the account with that address, or the person who accepts the invitation that is returned instead',
  'GET /service-debug/people':
    'query `query`, `cursor`: the accounts of the deployment, with their state and organizations',
  'POST /service-debug/people/:id/disable':
    'shuts an account: sessions, tokens, approved clients, open streams and runs end at once',
  'POST /service-debug/people/:id/enable': 'opens it again; the person signs in again',
  'POST /service-debug/people/:id/remove-codes':
    'removes the one-time and recovery codes of a person who has lost them',
  'POST /service-debug/people/:id/end-sessions': 'ends the sessions, tokens and approved clients of a person',
  'POST /service-debug/people/:id/reset-password':
    'makes a link with which the person chooses a new password, once and for 60 minutes; hand it over yourself',
  'DELETE /service-debug/people/:id':
    'shuts an account and erases it; 409 `last_owner` names the organizations that need another owner first',
  'GET /service-debug/organizations': 'query `query`, `cursor`: the organizations of the deployment, with their state',
  'POST /service-debug/organizations/:id/disable': 'pauses an organization: for its members it is gone, its runs end',
  'POST /service-debug/organizations/:id/enable': 'lets it go on',
  'POST /service-debug/organizations/:id/end-sessions': 'ends the sessions, tokens and approved clients of its members',
  'POST /service-debug/organizations/:id/restore': 'brings a deleted organization back, until it is erased',
  'DELETE /service-debug/organizations/:id': 'shuts an organization, and erases it after SERVICE_DELETION_DAYS',
  'GET /service-debug/acts': 'what operators did to people and organizations, the latest first',
  'PUT /service-debug/organizations/:org/plan': 'body {"plan": …}: changes the plan of an organization, by id or slug',
} as const;
