// What the service keeps about people and organizations: every table, in the order in which erasing goes through it. The
// page on personal data is printed from it, and a test compares it with the schema, so a new table has no way past it.
//
// Erasing repeats each step until it changes nothing more, a bounded number of rows at a time. A step may therefore only
// name rows that it has not changed yet. `$1` is the id of the subject.
export const SUBJECTS = ['person', 'organization', 'workspace'] as const;
export type Subject = (typeof SUBJECTS)[number];

export type Step =
  /** The rows that match are deleted. */
  | { readonly deletes: string }
  /** The rows that match stay, but lose what the assignments take from them. */
  | { readonly clears: string; readonly where: string }
  /** Whatever the statement selects is done by it, one row of one column for each. */
  | { readonly runs: string };

export interface DataRow {
  /** What it holds, in plain words. */
  readonly holds: string;
  readonly kept: string;
  /** What erasing a subject does. A subject that is not named here finds nothing of its own in this table. */
  readonly erases: Partial<Record<Subject, readonly Step[] | Fate>>;
}

/** Why nothing is to be done for a table by itself. */
type Fate =
  /** A foreign key deletes its rows together with those of that table. */
  { readonly goesWith: string } | { readonly stays: string };

const MINE = [{ deletes: 'user_id = $1' }] as const;
const OF_ORGANIZATION = [{ deletes: 'organization_id = $1' }] as const;
const OF_WORKSPACE = [{ deletes: 'workspace_id = $1' }] as const;
const EVERYWHERE = { person: MINE, organization: OF_ORGANIZATION } as const;
const ONLY_IDS = { stays: 'ids, times and hashes; the ids then name nobody' } as const;
const SUMS = { stays: 'sums of money and tokens by id; the id then names nobody' } as const;
const UNTIL_DELETED = 'until it is deleted';
const WITH_MEMBERSHIP = 'as long as the membership';

function goesWith(table: string, ...subjects: Subject[]): DataRow['erases'] {
  const fate = { goesWith: table };
  return Object.fromEntries((subjects.length === 0 ? SUBJECTS : subjects).map((subject) => [subject, fate]));
}

/** A run's row stays in its workspace: it loses what people and models wrote. */
const CLEARED_RUN = "objective = '', result = null, error = null, idempotency_key = null";
const NOT_CLEARED = "ended_at is not null and (objective <> '' or result is not null or error is not null)";

export const DATA = {
  // What people wrote
  chat_thread: {
    holds: 'chats: title, project, times',
    kept: UNTIL_DELETED,
    erases: { ...EVERYWHERE, workspace: goesWithWorkspace() },
  },
  chat_message: { holds: 'messages and answers', kept: 'with the chat', erases: goesWith('chat_thread') },
  chat_message_version: {
    holds: 'earlier versions of messages',
    kept: 'with the chat',
    erases: goesWith('chat_thread'),
  },
  chat_message_search: {
    holds: 'words of messages, for search',
    kept: 'with the message',
    erases: goesWith('chat_message'),
  },
  chat_share: { holds: 'shared chats', kept: 'until it is unshared', erases: goesWith('chat_thread') },
  chat_share_message: { holds: 'messages of shared chats', kept: 'with the share', erases: goesWith('chat_share') },
  chat_feedback: {
    holds: 'ratings of answers; question and answer if the person chose to show them',
    kept: 'with the chat',
    erases: goesWith('chat_thread'),
  },
  chat_import: {
    holds: 'imports of chats: the name of the file, the report',
    kept: WITH_MEMBERSHIP,
    erases: { ...EVERYWHERE, workspace: goesWithWorkspace() },
  },
  chat_import_piece: {
    holds: 'the file that is imported',
    kept: 'until the import ends',
    erases: goesWith('chat_import'),
  },
  chat_import_item: {
    holds: 'what was taken from it, by title',
    kept: 'with the import',
    erases: goesWith('chat_import'),
  },
  chat_imported: { holds: 'where imported chats came from', kept: 'with the chat', erases: goesWith('chat_thread') },
  chat_stream: { holds: 'the answer that is being written', kept: 'minutes', erases: goesWith('chat_thread') },
  chat_stream_chunk: { holds: 'pieces of that answer', kept: 'minutes', erases: goesWith('chat_stream') },
  chat_attachment: {
    holds: 'files and pictures of chats',
    kept: 'with the chat',
    erases: { ...EVERYWHERE, workspace: { goesWith: 'chat_thread' } },
  },
  chat_attachment_piece: {
    holds: 'passages of those files',
    kept: 'with the file',
    erases: goesWith('chat_attachment'),
  },
  stored_response: {
    holds: 'stored responses of the API, encrypted',
    kept: 'SERVICE_RESPONSES_RETENTION_DAYS',
    erases: { ...EVERYWHERE, workspace: goesWithWorkspace() },
  },
  prompt: {
    holds: 'saved prompts, own and shared',
    kept: UNTIL_DELETED,
    erases: {
      person: [...MINE, { clears: "created_by_name = ''", where: "created_by = $1 and created_by_name <> ''" }],
      organization: OF_ORGANIZATION,
      workspace: goesWithWorkspace(),
    },
  },
  custom_instructions: { holds: 'what answers should take into account', kept: UNTIL_DELETED, erases: EVERYWHERE },
  project: {
    holds: 'projects: name, description, instructions',
    kept: UNTIL_DELETED,
    erases: {
      // What a person shared with a workspace is its own by now: it stays, and somebody else there takes it over.
      person: [{ deletes: "created_by = $1 and sharing = 'private'" }],
      organization: OF_ORGANIZATION,
      workspace: goesWithWorkspace(),
    },
  },
  project_file: {
    holds: 'files of projects, and the name of who added them',
    kept: 'with the project',
    erases: {
      ...goesWith('project'),
      person: [{ clears: "added_by = ''", where: "user_id = $1 and added_by <> ''" }],
    },
  },
  project_file_content: { holds: 'their bytes', kept: 'with the file', erases: goesWith('project_file') },
  project_piece: { holds: 'passages of those files', kept: 'with the file', erases: goesWith('project_file') },

  // Runs
  job: {
    holds: 'background runs: objective, result, state',
    kept: 'without end; files and logs for SERVICE_ARTIFACT_RETENTION_DAYS, workspaces for SERVICE_RUN_SNAPSHOT_DAYS',
    erases: {
      person: [{ clears: CLEARED_RUN, where: `created_by = $1 and ${NOT_CLEARED}` }],
      organization: [{ deletes: 'organization_id = $1 and ended_at is not null' }],
      workspace: [{ deletes: 'workspace_id = $1 and ended_at is not null' }],
    },
  },
  job_storage: {
    holds: 'how much the files of a run, of the setup of an environment, or of a kept checkout take',
    kept: 'with the files',
    erases: { person: ONLY_IDS, organization: OF_ORGANIZATION, workspace: ONLY_IDS },
  },

  run_mail: {
    holds: 'runs that have ended and whose person is to get a mail',
    kept: 'a minute; a day if no mail is sent',
    erases: { ...goesWith('identity_user', 'person'), ...goesWith('job', 'organization', 'workspace') },
  },

  run_message: {
    holds: 'what people said to runs while they worked',
    kept: 'with the run',
    erases: {
      person: [
        { deletes: 'created_by = $1' },
        { deletes: 'job_id in (select j.id from :schema.job j where j.created_by = $1 and j.ended_at is not null)' },
      ],
      ...goesWith('job', 'organization', 'workspace'),
    },
  },

  standing_run: {
    holds: 'schedules and triggers: name, objective, with what they act',
    kept: UNTIL_DELETED,
    erases: {
      person: [{ deletes: 'created_by = $1' }],
      organization: OF_ORGANIZATION,
      workspace: goesWithWorkspace(),
    },
  },
  recipe: {
    holds: 'recipes: name, description, objective with its fields',
    kept: UNTIL_DELETED,
    erases: {
      person: { stays: 'it belongs to its workspace; the id of who made it then names nobody' },
      organization: OF_ORGANIZATION,
      workspace: goesWithWorkspace(),
    },
  },
  environment: {
    holds: 'what runs work in: a script, variables, names of reachable hosts',
    kept: UNTIL_DELETED,
    erases: {
      person: { stays: 'it belongs to its workspace; the id of who made it then names nobody' },
      organization: OF_ORGANIZATION,
      workspace: goesWithWorkspace(),
    },
  },
  environment_secret: {
    holds: 'secrets of environments, encrypted',
    kept: 'until it is replaced or removed',
    erases: goesWith('environment', 'organization', 'workspace'),
  },
  environment_setup: {
    holds: 'what the script of an environment printed, and how large its result is',
    kept: '14 days after a run has used it',
    erases: goesWith('environment', 'organization', 'workspace'),
  },

  subscription: {
    holds: 'addresses that are told what happens',
    kept: UNTIL_DELETED,
    erases: {
      // It belongs to the organization; the id then names nobody.
      person: { stays: 'it belongs to the organization; the id of who made it then names nobody' },
      organization: OF_ORGANIZATION,
      workspace: goesWithWorkspace(),
    },
  },
  subscription_delivery: {
    holds: 'what those addresses were told: ids and states',
    kept: '7 days after it was delivered or given up',
    erases: goesWith('subscription', 'organization', 'workspace'),
  },
  run_trigger: {
    holds: 'triggers: who sends to them, what of that counts',
    kept: UNTIL_DELETED,
    erases: goesWith('standing_run'),
  },
  trigger_secret: {
    holds: 'what deliveries are signed with, encrypted',
    kept: 'until it is replaced, and a day more',
    erases: goesWith('standing_run'),
  },
  trigger_delivery: {
    holds: 'what was delivered to triggers; payloads encrypted',
    kept: '7 days',
    erases: goesWith('standing_run'),
  },
  schedule: {
    holds: 'when schedules start their runs',
    kept: 'with the schedule',
    erases: goesWith('standing_run'),
  },
  schedule_firing: {
    holds: 'what became of the planned times of schedules',
    kept: '30 days, while the schedule goes on',
    erases: goesWith('standing_run'),
  },

  // Money and limits
  spend_cap: {
    holds: 'caps on members, workspaces and tokens',
    kept: UNTIL_DELETED,
    erases: {
      person: [
        {
          runs: `select :schema.spend_cap_remove(c.organization_id, c.id) from :schema.spend_cap c
                  where (c.kind = 'member' and c.subject_id = $1)
                     or (c.kind = 'token' and c.subject_id in (select t.id from :schema.connect_token t where t.user_id = $1)) limit 500`,
        },
      ],
      organization: OF_ORGANIZATION,
      workspace: [
        {
          runs: `select :schema.spend_cap_remove(c.organization_id, c.id) from :schema.spend_cap c where c.kind = 'workspace' and c.subject_id = $1`,
        },
      ],
    },
  },
  request_log: {
    holds: 'the log of requests: who, when, which model, how much; never content',
    kept: '30 days',
    erases: { ...EVERYWHERE, workspace: OF_WORKSPACE },
  },
  spend_day: {
    holds: 'spend by day',
    kept: '13 months',
    erases: { person: SUMS, workspace: SUMS, organization: OF_ORGANIZATION },
  },
  spend_month: {
    holds: 'spend by month',
    kept: 'without end',
    erases: { person: SUMS, workspace: SUMS, organization: OF_ORGANIZATION },
  },
  spend_trend: { holds: 'spend of an organization by day', kept: 'without end', erases: { organization: SUMS } },
  usage_day: {
    holds: 'usage of an organization by day',
    kept: 'without end',
    erases: { organization: OF_ORGANIZATION },
  },
  chat_hold: {
    holds: 'what running requests reserve',
    kept: 'minutes',
    erases: { person: SUMS, organization: SUMS, workspace: SUMS },
  },
  chat_rate: { holds: 'how many requests a person made in the last minute', kept: 'minutes', erases: { person: MINE } },
  chat_rate_slot: { holds: 'when those were', kept: 'minutes', erases: { person: MINE } },
  org_budget: {
    holds: 'what is left of an organization’s budget',
    kept: 'as long as the organization',
    erases: { organization: OF_ORGANIZATION },
  },
  org_storage: {
    holds: 'how much an organization stores',
    kept: 'as long as the organization',
    erases: { organization: OF_ORGANIZATION },
  },
  chat_version: {
    holds: 'a counter of changes',
    kept: 'as long as the organization',
    erases: { organization: OF_ORGANIZATION },
  },

  // Settings and credentials of organizations
  org_policy: { holds: 'policies', kept: 'as long as the organization', erases: { organization: OF_ORGANIZATION } },
  org_provider_api_key: {
    holds: 'provider keys, encrypted',
    kept: UNTIL_DELETED,
    erases: { organization: OF_ORGANIZATION, workspace: goesWithWorkspace() },
  },
  models_account: {
    holds: 'Models accounts, encrypted',
    kept: UNTIL_DELETED,
    erases: { organization: OF_ORGANIZATION, workspace: goesWithWorkspace() },
  },
  model_route: { holds: 'routes', kept: UNTIL_DELETED, erases: { organization: OF_ORGANIZATION } },
  guardrail_group: {
    holds: 'guardrails',
    kept: UNTIL_DELETED,
    erases: { person: ONLY_IDS, organization: OF_ORGANIZATION },
  },
  guardrail_version: {
    holds: 'their versions',
    kept: 'with the guardrail',
    erases: { person: ONLY_IDS, organization: { goesWith: 'guardrail_group' } },
  },
  org_connection_secret: {
    holds: 'references to connected apps, encrypted; their credentials are at the integration provider',
    kept: 'until it is disconnected',
    erases: { person: ONLY_IDS, organization: OF_ORGANIZATION, workspace: goesWithWorkspace() },
  },
  connection_policy: {
    holds: 'what a connection may do',
    kept: 'with the connection',
    erases: {
      person: ONLY_IDS,
      organization: { goesWith: 'org_connection_secret' },
      workspace: { goesWith: 'org_connection_secret' },
    },
  },
  connection_removed: {
    holds: 'digests of removed connections',
    kept: 'as long as the organization',
    erases: { organization: OF_ORGANIZATION },
  },

  // Records
  receipt: {
    holds: 'receipts: who did what when, with hashes of content',
    kept: 'without end',
    erases: { person: ONLY_IDS, organization: ONLY_IDS, workspace: ONLY_IDS },
  },
  receipt_entry: {
    holds: 'what receipts are found by',
    kept: 'without end',
    erases: { person: ONLY_IDS, organization: ONLY_IDS, workspace: ONLY_IDS },
  },

  // Membership and access
  connect_token: {
    holds: 'named tokens: name, scopes, times; never the token',
    kept: 'until it is deleted or expires',
    erases: { ...EVERYWHERE, workspace: goesWithWorkspace() },
  },
  connect_token_short: { holds: 'ids of short-lived tokens', kept: 'minutes', erases: { person: MINE } },
  connect_token_use: { holds: 'when a token was last used', kept: 'with the token', erases: goesWith('connect_token') },
  invitation: {
    holds: 'invitations: address and role',
    kept: 'until it is accepted or withdrawn',
    erases: {
      person: [
        { deletes: 'accepted_by = $1 or email = (select u.email from :schema.identity_user u where u.id = $1)' },
        { clears: 'invited_by = null', where: 'invited_by = $1' },
      ],
      organization: OF_ORGANIZATION,
    },
  },
  workspace_member: {
    holds: 'members of workspaces and their roles',
    kept: WITH_MEMBERSHIP,
    erases: {
      person: { goesWith: 'organization_member' },
      organization: { goesWith: 'organization_member' },
      workspace: goesWithWorkspace(),
    },
  },
  organization_member: { holds: 'members of organizations and their roles', kept: WITH_MEMBERSHIP, erases: EVERYWHERE },
  scim_user: {
    holds: 'what an organization’s identity provider says of its members: names, address, its id for them',
    kept: WITH_MEMBERSHIP,
    erases: { person: { goesWith: 'organization_member' }, organization: { goesWith: 'organization_member' } },
  },
  scim_group: {
    holds: 'which workspaces an identity provider keeps, and its id for them',
    kept: 'as long as the group',
    erases: { organization: { goesWith: 'workspace' }, workspace: goesWithWorkspace() },
  },
  scim_token: {
    holds: 'tokens of identity providers as digests, who made them, when they were last used',
    kept: 'until it is revoked',
    erases: {
      person: [{ clears: 'created_by = null', where: 'created_by = $1' }],
      organization: OF_ORGANIZATION,
    },
  },
  oauth_grant: {
    holds: 'clients that a person approved',
    kept: '60 days after the last use',
    erases: { ...goesWith('identity_user', 'person'), organization: OF_ORGANIZATION, workspace: OF_WORKSPACE },
  },
  oauth_code: { holds: 'digests of codes', kept: 'minutes', erases: goesWith('oauth_grant') },
  oauth_refresh_token: {
    holds: 'digests of refresh tokens',
    kept: 'as long as the grant',
    erases: goesWith('oauth_grant'),
  },
  oauth_access_token: { holds: 'ids of access tokens', kept: 'minutes', erases: goesWith('oauth_grant') },
  oauth_request: {
    holds: 'sign-ins of clients that have begun',
    kept: 'minutes',
    erases: goesWith('identity_user', 'person'),
  },
  workspace: {
    holds: 'workspaces: name and slug',
    kept: UNTIL_DELETED,
    erases: { organization: OF_ORGANIZATION, workspace: [{ deletes: 'id = $1' }] },
  },
  removed_name: {
    holds: 'names of removed workspaces and tokens, for records that outlive them',
    kept: 'as long as the records',
    erases: { ...EVERYWHERE, workspace: { stays: 'the name of the workspace, which the organization gave it' } },
  },
  organization: {
    holds: 'organizations: name, slug, plan',
    kept: UNTIL_DELETED,
    erases: {
      person: [{ clears: 'created_by = null', where: 'created_by = $1' }],
      organization: [{ deletes: 'id = $1' }],
    },
  },

  // Identity
  mail: {
    holds: 'mail: address, kind, times; what it says, encrypted, until it is sent',
    kept: '7 days',
    erases: {
      person: [
        { deletes: 'caused_by = $1 or recipient = (select u.email from :schema.identity_user u where u.id = $1)' },
      ],
      organization: { stays: 'addresses without the organization, for 7 days' },
    },
  },
  signup_credit_grant: {
    holds: 'who has had their sign-up credit',
    kept: 'as long as the account',
    erases: { ...goesWith('identity_user', 'person'), organization: ONLY_IDS },
  },
  identity_session: {
    holds: 'sessions: address, device, times, what the OpenID provider calls them; the token as a digest',
    kept: '30 days after the last use',
    erases: goesWith('identity_user', 'person'),
  },
  identity_account: {
    holds: 'how a person signs in: the password as a hash, what the OpenID provider calls them',
    kept: 'as long as the account',
    erases: goesWith('identity_user', 'person'),
  },
  identity_link: {
    holds: 'links for a new password or to prove an address, as digests',
    kept: 'a day',
    erases: goesWith('identity_user', 'person'),
  },
  identity_passkey: {
    holds: 'passkeys: name, public key, times',
    kept: UNTIL_DELETED,
    erases: goesWith('identity_user', 'person'),
  },
  identity_one_time_code: {
    holds: 'the secret of one-time codes, encrypted',
    kept: UNTIL_DELETED,
    erases: goesWith('identity_user', 'person'),
  },
  identity_recovery_code: {
    holds: 'recovery codes, as digests',
    kept: 'until they are used',
    erases: goesWith('identity_user', 'person'),
  },
  identity_challenge: {
    holds: 'questions of sign-ins that have begun, as digests',
    kept: 'minutes',
    erases: goesWith('identity_user', 'person'),
  },
  identity_device_code: {
    holds: 'sign-ins of the command line that have begun',
    kept: 'a day',
    erases: goesWith('identity_user', 'person'),
  },
  identity_user: {
    holds: 'accounts: name, address',
    kept: UNTIL_DELETED,
    erases: { person: [{ deletes: 'id = $1' }] },
  },

  // The record of erasing itself
  erasure: {
    holds: 'what was erased when, by id',
    kept: 'without end',
    erases: { person: ONLY_IDS, organization: ONLY_IDS, workspace: ONLY_IDS },
  },
  operator_act: {
    holds: 'what operators did to accounts and organizations, by id',
    kept: 'without end',
    erases: { person: ONLY_IDS, organization: ONLY_IDS },
  },
} as const satisfies Readonly<Record<string, DataRow>>;

function goesWithWorkspace(): Fate {
  return { goesWith: 'workspace' };
}

/** Tables about the service itself: nothing in them belongs to a person or an organization. */
export const OF_THE_SERVICE: Readonly<Record<string, string>> = {
  identity_verification: 'secrets of sign-ins that have begun, as digests; minutes',
  openid_used: 'digests of sign-ins at the OpenID provider that were finished; minutes',
  oauth_client: 'programs that may ask people for access',
  migration: 'which migrations have been applied',
  migration_function: 'which functions are in place',
  process: 'processes that run now',
  connection_digest_key: 'the key of the digests of connections, encrypted',
  receipt_checkpoint: 'roots over all receipts',
  receipt_checkpoint_head: 'the heads that a checkpoint covers',
  receipt_head: 'the last receipt of each stream',
  platform_month: 'platform credit of the deployment by month',
  spend_rolled: 'up to which day spend is summed up',
  broker_origin: 'the broker: which work there is, by run id',
  broker_promise: 'the broker: promises by run id',
  broker_task: 'the broker: tasks by run id',
  broker_awaiter: 'the broker: what waits for what',
  broker_listener: 'the broker: who is told',
  broker_unblock: 'the broker: what goes on next',
  broker_replica: 'the broker: its processes',
  broker_stream: 'the broker: open streams',
};

/** What lies in files: everything in the data directory, by name, and what is kept elsewhere for a while. */
export const DIRECTORIES: Readonly<Record<string, Omit<DataRow, 'erases'> & { readonly erasing: string }>> = {
  artifacts: {
    holds:
      'what runs left: files, the log of what models and tools said, and their workspace as it was after the last step',
    kept: 'SERVICE_ARTIFACT_RETENTION_DAYS; workspaces SERVICE_RUN_SNAPSHOT_DAYS',
    erasing: 'the directories of the runs are deleted',
  },
  environments: {
    holds: 'what the setup scripts of environments left, for the runs that begin with it',
    kept: '14 days after a run has used it',
    erasing: 'deleted within a day of its environment, by the task that removes old artifacts',
  },
  checkouts: {
    holds: 'what was last checked out of a repository for runs, by connection',
    kept: '14 days after a run has used it',
    erasing: 'deleted within a day of its connection, by the task that removes old artifacts',
  },
  postgres: {
    holds: 'the embedded database: the tables above',
    kept: 'as the tables say',
    erasing: 'as the tables say',
  },
  logs: {
    holds: 'logs of the processes: ids, routes, network addresses, errors; never content or secrets',
    kept: 'the latest of each process, bounded in size',
    erasing: 'overwritten by later lines',
  },
  packets: {
    holds: 'which runs workers have in hand: ids, no content',
    kept: 'while the run works',
    erasing: 'gone with the run',
  },
  checkpoints: {
    holds: 'roots over all receipts: hashes',
    kept: 'without end',
    erasing: 'nothing of anybody is in it',
  },
  tools: { holds: 'programs that runs may use', kept: 'until it is deleted', erasing: 'nothing of anybody is in it' },
  cache: { holds: 'downloaded programs', kept: 'until it is deleted', erasing: 'nothing of anybody is in it' },
  '.env': {
    holds: 'secrets of the deployment',
    kept: 'as long as the deployment',
    erasing: 'nothing of anybody is in it',
  },
  'stack.json': { holds: 'which processes run', kept: 'while they run', erasing: 'nothing of anybody is in it' },
  'stack.lock': { holds: 'that they run', kept: 'while they run', erasing: 'nothing of anybody is in it' },
  'sandbox.sock': { holds: 'a socket', kept: 'while the controller runs', erasing: 'nothing of anybody is in it' },
  '/run/service-sandbox-*': {
    holds: 'the working directories of runs',
    kept: 'while the run works',
    erasing: 'erasing waits for the runs to end',
  },
};
