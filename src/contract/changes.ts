// What `GET /api/changes?organization=` sends: where something changed, never what. The client reads it again, and that
// request is authorized like any other.

/** What can change. The names are those of the tables, except for the last three. */
export const CHANGED = [
  'organization',
  'organization_member',
  'workspace',
  'workspace_member',
  'invitation',
  'connect_token',
  'org_policy',
  'org_provider_api_key',
  'models_account',
  'model_route',
  'guardrail_group',
  'spend_cap',
  'chat_thread',
  'chat_share',
  'chat_import',
  'project',
  'project_file',
  'prompt',
  'recipe',
  'environment',
  'environment_setup',
  'custom_instructions',
  'connection',
  'job',
  'receipt',
] as const;
export type Changed = (typeof CHANGED)[number];

/** `*` when notifications were lost: read everything again. */
export interface ChangeOnWire {
  readonly table: Changed | '*';
  readonly workspace?: string;
  readonly id?: string;
}
