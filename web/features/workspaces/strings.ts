import { inLanguage } from '../../language/language.ts';

export const workspaceStrings = inLanguage('workspaceStrings', {
  title: 'Workspaces',
  description: 'A workspace has its own members, connections, keys and tokens.',
  create: 'New workspace',
  createTitle: 'Create a workspace',
  createText: 'Only the people you add can see it. You become its owner.',
  createSubmit: 'Create workspace',
  created: (name: string): string => `Workspace “${name}” is ready.`,
  name: 'Name',
  nameHint: 'For example, the team or project that uses it.',
  empty: 'No workspaces yet',
  emptyText: 'Create one for a team or project, with its own members, connections and keys.',
  isDefault: 'Default',
  noRole: 'Not a member',
  notFound: 'Workspace not found',
  notFoundText: (slug: string): string =>
    `The workspace “${slug}” does not exist in this organization, or you are not a member of it.`,
  defaultNote:
    'Everyone in the organization is a member of the Default workspace. MCP clients and chats use it when no workspace is chosen. It cannot be deleted.',
  details: 'Details',
  id: 'Workspace ID',
  openGateway: 'MCP Gateway',
  rename: 'Rename',
  renamed: 'Workspace renamed.',
  cannotManage: 'Only an owner or admin of this workspace or the organization can change it.',
  danger: 'Delete this workspace',
  dangerText:
    'Its members lose access immediately. Its chats, projects, schedules, keys and connections are deleted, and what its runs wrote, their files and logs, within minutes. Receipts stay, without content. This cannot be undone.',
  delete: 'Delete workspace',
  deleteTitle: (name: string): string => `Delete “${name}”?`,
  deleteConfirm: (name: string): string => `Type ${name} to confirm`,
  deleted: (name: string): string => `Workspace “${name}” was deleted.`,
});
