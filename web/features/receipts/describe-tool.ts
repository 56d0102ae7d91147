// Tool calls in words: `github__list-repositories` is "Listed repositories in GitHub".

/** How a verb reads once the call has ended, and while it runs. */
const VERBS: Readonly<Record<string, readonly [ended: string, running: string]>> = {
  list: ['Listed', 'Listing'],
  get: ['Looked up', 'Looking up'],
  read: ['Read', 'Reading'],
  search: ['Searched', 'Searching'],
  find: ['Searched for', 'Searching for'],
  query: ['Queried', 'Querying'],
  create: ['Created', 'Creating'],
  post: ['Posted', 'Posting'],
  add: ['Added', 'Adding'],
  send: ['Sent', 'Sending'],
  update: ['Updated', 'Updating'],
  edit: ['Edited', 'Editing'],
  delete: ['Deleted', 'Deleting'],
  remove: ['Removed', 'Removing'],
  close: ['Closed', 'Closing'],
  merge: ['Merged', 'Merging'],
};

/** The tools that every run has, and those of Codex. */
const OWN: Readonly<Record<string, readonly [ended: string, running: string]>> = {
  bash: ['Ran a command', 'Running a command'],
  edit: ['Changed files', 'Changing files'],
  plan: ['Updated its plan', 'Updating its plan'],
};

export interface ToolAddress {
  /** The connector; undefined for a tool of the run itself. */
  readonly app?: string;
  /** The name of the connection, unless it is the default one. */
  readonly connection?: string;
  readonly tool: string;
}

/** Reads a tool's name as runs and MCP clients know it: `<app>__<tool>` or `<app>--<connection>__<tool>`. */
export function readToolName(name: string): ToolAddress {
  const [, address = '', tool = ''] = /^(.+)__([a-z][a-z0-9-]*)$/.exec(name) ?? [];
  if (address === '') return { tool: name };
  const split = address.indexOf('--');
  return split < 0
    ? { app: address, tool }
    : { app: address.slice(0, split), connection: address.slice(split + 2), tool };
}

/** A step of a run: what it did, or is doing, and where. */
export function describeTool(name: string, ended: boolean, appName: (id: string) => string): string {
  const { app, connection, tool } = readToolName(name);
  if (app === undefined) return Object.hasOwn(OWN, tool) ? pick(OWN[tool], ended) : unknown(tool, ended);
  const where = connection === undefined ? appName(app) : `${appName(app)} (${connection})`;
  return `${describeAction(tool, ended)} in ${where}`;
}

function describeAction(tool: string, ended: boolean): string {
  const [verb = '', ...rest] = tool.split('-');
  if (!Object.hasOwn(VERBS, verb) || rest.length === 0) return unknown(tool, ended);
  return `${pick(VERBS[verb], ended)} ${withArticle(rest)}`;
}

const pick = (forms: readonly [string, string] | undefined, ended: boolean): string => forms?.[ended ? 0 : 1] ?? '';
const unknown = (tool: string, ended: boolean): string => `${ended ? 'Called' : 'Calling'} ${tool}`;

/** One thing has an article, many have none. */
function withArticle(words: readonly string[]): string {
  const phrase = words.join(' ');
  if (phrase.endsWith('s')) return phrase;
  return `${/^[aeiou]/.test(phrase) ? 'an' : 'a'} ${phrase}`;
}
