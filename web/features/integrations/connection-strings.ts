import { inLanguage } from '../../language/language.ts';

export const accessNames = inLanguage('accessNames', { read: 'Read', write: 'Write' });

export const connectionStrings = inLanguage('connectionStrings', {
  title: 'Connections',
  text: (workspace: string): string => `Apps connected to ${workspace}, and what each may be used for.`,
  empty: 'Nothing is connected yet',
  emptyText: 'Connect an app to make its tools available to the people, agents and MCP clients of this workspace.',
  add: 'Connect an app',
  back: 'All connections',
  open: (title: string): string => `Open ${title}`,
  titleOf: (app: string, name: string): string => (name === 'default' ? app : `${app} (${name})`),
  selector: 'Address',
  selectorText: 'The name that calls use.',
  connectedOn: 'Connected',
  validatedOn: 'Last checked',
  expiresOn: 'Expires',
  missing: 'Connection not found',
  missingText: 'It was removed or belongs to another workspace.',
  actions: 'Actions',
  actionsText: 'Which tools may be called through this connection. Reads are on and writes are off by default.',
  writeOn: (tool: string, app: string, workspace: string): string =>
    `${tool} is on: members of ${workspace}, their agents and MCP clients with write access can now change data in ${app} with it.`,
  writeIsOn: (app: string, workspace: string): string =>
    `On: members of ${workspace}, their agents and MCP clients with write access can change data in ${app} with it.`,
  readOnly: 'Only an owner or admin of the workspace or organization can change this.',
  on: 'On',
  off: 'Off',
  noActions: 'This connection has no tools. Runs use it through the cloud’s command line.',
  noActionsHost: 'Imported tokens have no tools. Connect the app to use its tools.',
  toolsFailed: 'The tools of this connection could not be loaded.',
  policyFailed: 'The policy of this connection could not be loaded.',
  push: 'Pushing',
  pushText:
    'The service pushes what a run committed, if the person who started it asked for that: to a new branch named after the run, and nothing else. Runs themselves can never push.',
  pushBranches: 'Runs may have a branch of their own pushed',
  pushSaved: 'Saved',
  repositories: 'Repositories',
  repositoriesText:
    'When this is on, calls can reach only the selected repositories. Calls that name no repository are refused.',
  enforce: 'Only selected repositories',
  selected: 'Selected repositories',
  selectedText: 'owner/name, or a project path. Press Enter after each.',
  noneSelected: 'No repository is selected, so every call is refused.',
  repositoryInvalid: (name: string): string => `“${name}” is not in the form owner/name.`,
  save: 'Save repositories',
  saved: 'Repositories saved.',
  try: 'Try a tool',
  tryText: 'Calls the tool on your behalf over REST and leaves a receipt.',
});
