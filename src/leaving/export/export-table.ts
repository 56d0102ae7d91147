// What of each table a person gets who asks for their data: a file of the archive, or the reason why there is none. Every
// table in which erasing a person finds something has a row here; a test compares the two. Secrets are never among the
// columns, not as digests either.
export interface ExportedTable {
  /** In the archive, without its ending. */
  readonly file: string;
  /** SQL; `t` is the table. */
  readonly columns: string;
  /** `$1` is the person. */
  readonly where: string;
  /** What orders the rows, and is never twice among them. */
  readonly key: readonly string[];
  /** Rows that are read at once; fewer where a row may be large. */
  readonly page?: number;
}

export type ExportRow = ExportedTable | { readonly within: string } | { readonly leftOut: string };

const MINE = 't.user_id = $1';
/** Every index of an organization's rows begins with the organization. */
const IN_MY_ORGANIZATIONS =
  't.organization_id in (select m.organization_id from :schema.organization_member m where m.user_id = $1)';
const MINE_THERE = `${IN_MY_ORGANIZATIONS} and ${MINE}`;
const MINUTES = { leftOut: 'it exists for minutes and is used up by what it is for' } as const;
const DERIVED = { leftOut: 'it is made from what the archive has' } as const;
const FIGURES =
  't.organization_id, t.workspace_id, t.model, t.served, t.provider, t.credential, t.surface, t.requests, t.input_tokens, t.output_tokens, t.cost_micros';
const FIGURES_KEY = ['t.organization_id', 't.workspace_id', 't.token_id', 't.model', 't.served', 't.provider'];

export const EXPORTS: Readonly<Record<string, ExportRow>> = {
  chat_thread: { within: 'chats/' },
  chat_message: { within: 'chats/' },
  chat_message_version: { within: 'chats/' },
  chat_message_search: DERIVED,
  chat_share: {
    file: 'shared-chats',
    columns: 't.id, t.thread_id, t.organization_id, t.workspace_id, t.title, t.messages, t.created_at, t.updated_at',
    where: 't.thread_id in (select c.id from :schema.chat_thread c where c.user_id = $1)',
    key: ['t.id'],
  },
  chat_share_message: { leftOut: 'it is a copy of messages that the archive has' },
  chat_feedback: {
    file: 'feedback',
    columns:
      't.id, t.thread_id, t.message_id, t.organization_id, t.rating, t.reason, t.model, t.question, t.answer, t.created_at, t.updated_at',
    where: MINE_THERE,
    key: ['t.id'],
    page: 50,
  },
  chat_import: {
    file: 'imports',
    columns:
      't.id, t.organization_id, t.workspace_id, t.name, t.size, t.state, t.reason, t.source, t.taken, t.present, t.left_out, t.created_at, t.ended_at',
    where: MINE_THERE,
    key: ['t.id'],
  },
  chat_import_piece: { leftOut: 'it is the file that you are importing, and goes when the import ends' },
  chat_import_item: {
    file: 'imported-items',
    columns: 't.import_id, t.number, t.kind, t.outcome, t.title, t.thread_id, t.reason, t.messages',
    where: `t.import_id in (select i.id from :schema.chat_import i where i.user_id = $1)`,
    key: ['t.import_id', 't.number'],
  },
  chat_imported: {
    file: 'imported-chats',
    columns: 't.organization_id, t.source, t.source_id, t.thread_id',
    where: MINE_THERE,
    key: ['t.organization_id', 't.source', 't.source_id'],
  },
  chat_stream: MINUTES,
  chat_stream_chunk: MINUTES,
  chat_attachment: { within: 'attachments/' },
  chat_attachment_piece: DERIVED,
  stored_response: { within: 'stored-responses/' },
  prompt: {
    file: 'prompts',
    columns: 't.id, t.organization_id, t.workspace_id, t.name, t.text, t.created_at, t.updated_at',
    where: `${IN_MY_ORGANIZATIONS} and t.created_by = $1`,
    key: ['t.id'],
    page: 50,
  },
  custom_instructions: {
    file: 'instructions',
    columns: 't.organization_id, t.text, t.enabled, t.updated_at',
    where: MINE_THERE,
    key: ['t.organization_id'],
  },
  project: {
    file: 'projects',
    columns:
      't.id, t.organization_id, t.workspace_id, t.name, t.description, t.instructions, t.model, t.sharing, t.created_at, t.updated_at',
    where: `${IN_MY_ORGANIZATIONS} and t.created_by = $1`,
    key: ['t.id'],
    page: 50,
  },
  project_file: { within: 'project-files/' },
  project_file_content: { within: 'project-files/' },
  project_piece: DERIVED,
  job: { within: 'runs' },
  job_storage: {
    leftOut: 'it says how large files of runs, setups and kept checkouts are; the archive has those of runs',
  },
  run_mail: { leftOut: 'a note that a mail is to be written, for a minute' },
  run_message: {
    file: 'run-messages',
    columns: 't.job_id, t.id, t.text, t.created_at',
    where: 't.created_by = $1',
    key: ['t.job_id', 't.number'],
    page: 50,
  },
  standing_run: {
    file: 'standing-runs',
    columns:
      't.id, t.kind, t.organization_id, t.workspace_id, t.name, t.objective, t.run_kind, t.model, t.capabilities, t.environment, t.deliver, t.enabled, t.paused_reason, t.created_at',
    where: `${IN_MY_ORGANIZATIONS} and t.created_by = $1`,
    key: ['t.id'],
    page: 50,
  },
  subscription: {
    file: 'subscriptions',
    columns: 't.id, t.organization_id, t.workspace_id, t.url, t.events, t.created_at, t.disabled_reason',
    where: `${IN_MY_ORGANIZATIONS} and t.created_by = $1`,
    key: ['t.id'],
  },
  run_trigger: {
    file: 'triggers',
    columns: 't.id, t.source, t.filter',
    where: 't.id in (select s.id from :schema.standing_run s where s.created_by = $1)',
    key: ['t.id'],
    page: 50,
  },
  trigger_secret: { leftOut: 'it is a secret' },
  trigger_delivery: {
    file: 'trigger-deliveries',
    columns: 't.id, t.trigger_id, t.event, t.outcome, t.job, t.received_at, t.bytes',
    where: 't.trigger_id in (select s.id from :schema.standing_run s where s.created_by = $1)',
    key: ['t.id'],
  },
  schedule: {
    file: 'schedules',
    columns: 't.id, t.cron, t.timezone, t.every_seconds, t.at, t.overlap, t.catch_up, t.next_at',
    where: `t.id in (select s.id from :schema.standing_run s where s.created_by = $1)`,
    key: ['t.id'],
  },
  schedule_firing: {
    file: 'schedule-firings',
    columns: 't.schedule_id, t.planned_at, t.at, t.outcome, t.job_id, t.code',
    where: `t.schedule_id in (select s.id from :schema.standing_run s where s.created_by = $1)`,
    key: ['t.schedule_id', 't.planned_at'],
  },
  recipe: {
    file: 'recipes',
    columns:
      't.id, t.organization_id, t.workspace_id, t.name, t.description, t.objective, t.run_kind, t.model, t.capabilities, t.environment, t.deliver, t.created_at, t.updated_at',
    where: `${IN_MY_ORGANIZATIONS} and t.created_by = $1`,
    key: ['t.id'],
    page: 50,
  },
  environment: {
    file: 'environments',
    columns:
      't.id, t.organization_id, t.workspace_id, t.name, t.setup, t.variables, t.hosts, t.writable_hosts, t.repository, t.minutes, t.memory_mib, t.created_at, t.updated_at',
    where: `${IN_MY_ORGANIZATIONS} and t.created_by = $1`,
    key: ['t.id'],
    page: 20,
  },
  spend_cap: {
    file: 'caps',
    columns: 't.id, t.organization_id, t.kind, t.limit_micros, t.month, t.spent, t.created_at, t.updated_at',
    where: `${IN_MY_ORGANIZATIONS} and t.kind = 'member' and t.subject_id = $1`,
    key: ['t.id'],
  },
  request_log: {
    file: 'requests',
    columns:
      't.id, t.at, t.organization_id, t.workspace_id, t.surface, t.model, t.served, t.provider, t.credential, t.status, t.input_tokens, t.output_tokens, t.cost_micros, t.duration_ms',
    where: MINE_THERE,
    key: ['t.id'],
    page: 2_000,
  },
  spend_day: {
    file: 'spend-by-day',
    columns: `t.day, ${FIGURES}`,
    where: MINE_THERE,
    key: ['t.day::text', ...FIGURES_KEY, 't.credential::text', 't.surface'],
    page: 2_000,
  },
  spend_month: {
    file: 'spend-by-month',
    columns: `t.month, ${FIGURES}`,
    where: MINE_THERE,
    key: ['t.month::text', ...FIGURES_KEY, 't.credential::text', 't.surface'],
    page: 2_000,
  },
  chat_hold: MINUTES,
  chat_rate: MINUTES,
  chat_rate_slot: MINUTES,
  guardrail_group: { leftOut: 'it belongs to the organization; of you it has only your id' },
  guardrail_version: { leftOut: 'it belongs to the organization; of you it has only your id' },
  org_connection_secret: {
    file: 'connections',
    columns:
      't.id, t.organization_id, t.workspace_id, t.provider, t.name, t.kind, t.status, t.created_at, t.updated_at',
    where: `${IN_MY_ORGANIZATIONS} and (t.created_by = $1 or t.authorized_by = $1)`,
    key: ['t.id'],
  },
  connection_policy: { leftOut: 'it belongs to the organization; of you it has only your id' },
  receipt: { leftOut: 'receipts.json says where each is; GET /service/receipts shows it' },
  receipt_entry: {
    file: 'receipts',
    columns: 't.workspace_id, t.at, t.stream, t.idx as index, t.kind, t.app, t.tool',
    where:
      't.person = $1 and t.workspace_id in (select w.workspace_id from :schema.member_workspace w where w.user_id = $1)',
    key: ['t.workspace_id', 't.at', 't.stream', "lpad(t.idx::text, 20, '0')"],
    page: 2_000,
  },
  connect_token: {
    file: 'tokens',
    columns:
      't.id, t.organization_id, t.workspace_id, t.name, t.scopes, t.models, t.created_at, t.expires_at, t.revoked_at, (select u.used_at from :schema.connect_token_use u where u.id = t.id) as used_at',
    where: `${MINE} and t.name is not null`,
    key: ['t.id'],
  },
  connect_token_short: MINUTES,
  connect_token_use: { within: 'tokens' },
  invitation: {
    file: 'invitations',
    columns: 't.id, t.organization_id, t.email, t.role, t.created_at, t.expires_at, t.accepted_at',
    where: 't.accepted_by = $1 or t.email = (select u.email from :schema.identity_user u where u.id = $1)',
    key: ['t.id'],
  },
  workspace_member: {
    file: 'workspaces',
    columns: 't.organization_id, t.workspace_id, t.role, t.created_at',
    where: MINE,
    key: ['t.workspace_id'],
  },
  organization_member: {
    file: 'memberships',
    columns:
      't.organization_id, (select o.name from :schema.organization o where o.id = t.organization_id) as organization, t.role, t.created_at',
    where: MINE,
    key: ['t.organization_id'],
  },
  oauth_grant: {
    file: 'approved-clients',
    columns:
      't.id, t.client_id, t.client_name, t.organization_id, t.workspace_id, t.scopes, t.created_at, t.used_at, t.revoked_at',
    where: MINE,
    key: ['t.id'],
  },
  oauth_code: MINUTES,
  oauth_refresh_token: { leftOut: 'it is a secret of a client; approved-clients.json names the client' },
  oauth_access_token: { leftOut: 'it is a secret of a client; approved-clients.json names the client' },
  oauth_request: MINUTES,
  removed_name: {
    file: 'removed-names',
    columns: 't.id, t.name, t.removed_at',
    where: MINE,
    key: ['t.id'],
  },
  organization: { leftOut: 'memberships.json names those that you are in' },
  signup_credit_grant: {
    file: 'sign-up-credit',
    columns: 't.organization_id, t.granted_at',
    where: MINE,
    key: ['t.organization_id'],
  },
  identity_session: {
    file: 'sessions',
    columns:
      't.id, t.created_at, t.updated_at, t.expires_at, t.ip_address, t.user_agent, t.method, t.second_factor, t.issuer, t.subject',
    where: MINE,
    key: ['t.id'],
  },
  identity_account: {
    file: 'ways-to-sign-in',
    columns: 't.id, t.provider_id, t.account_id, t.created_at, t.updated_at',
    where: MINE,
    key: ['t.id'],
  },
  identity_passkey: {
    file: 'passkeys',
    columns: 't.id, t.name, t.backed_up, t.created_at, t.used_at',
    where: MINE,
    key: ['t.id'],
  },
  identity_one_time_code: { leftOut: 'it is a secret; the account page says whether there is one' },
  identity_recovery_code: { leftOut: 'it is a secret; the account page says how many are left' },
  identity_challenge: MINUTES,
  identity_link: MINUTES,
  identity_device_code: MINUTES,
  identity_user: {
    file: 'profile',
    columns: 't.id, t.name, t.email, t.email_verified, t.created_at, t.updated_at, t.disabled_at, t.run_mails',
    where: 't.id = $1',
    key: ['t.id'],
  },
  mail: {
    file: 'mail',
    columns: 't.id, t.recipient, t.kind, t.language, t.created_at, t.sent_at',
    where: 't.recipient = (select u.email from :schema.identity_user u where u.id = $1)',
    key: ['t.id'],
  },
  scim_user: {
    file: 'provisioned',
    columns:
      't.organization_id, t.user_name, t.external_id, t.display_name, t.given_name, t.family_name, t.formatted_name, t.email, t.changed_at',
    where: MINE,
    key: ['t.organization_id'],
  },
  scim_token: { leftOut: 'it belongs to the organization; of you it has only your id' },
  erasure: { leftOut: 'it begins when the account is deleted' },
  operator_act: {
    file: 'acts-of-operators',
    columns: 't.at, t.act',
    where: "t.kind = 'person' and t.subject_id = $1",
    key: ['t.id'],
  },
};
