// Tool calls in words: `github__list-repositories` is "Listed repositories in GitHub".
import { toolWords as words } from './strings.ts';

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
  if (app === undefined) {
    const own = find(words.own, tool);
    return own === undefined ? unknown(tool, ended) : fill(own, ended, '');
  }
  const where = connection === undefined ? appName(app) : `${appName(app)} (${connection})`;
  return words.inApp(describeAction(tool, ended), where);
}

function describeAction(tool: string, ended: boolean): string {
  const [verb = '', ...rest] = tool.split('-');
  const forms = find(words.verbs, verb);
  return forms === undefined || rest.length === 0
    ? unknown(tool, ended)
    : fill(forms, ended, words.thing(rest.join(' ')));
}

interface Forms {
  readonly ended: string;
  readonly running: string;
}

const find = (table: Readonly<Record<string, Forms>>, name: string): Forms | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
const fill = ({ ended, running }: Forms, isEnded: boolean, what: string): string =>
  (isEnded ? ended : running).replace('#', () => what);
const unknown = (tool: string, ended: boolean): string => fill(words.other, ended, tool);
