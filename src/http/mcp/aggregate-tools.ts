// All tools of a workspace's connections behind one list. Which tools a caller gets differs by policy and scope, but
// few sets differ: the serialised list is kept under what went into it.
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { Connection } from '../../connections/connection-types.ts';
import { callTool, isOpenTo, type ToolCaller } from '../../tools/call-tool.ts';
import { advertise, findNamed, type ListedTool, listTools } from '../../tools/list-tools.ts';
import { findToolAddress, mayBeCut, type ToolAddress } from '../../tools/name-tool.ts';
import type { ToolDeps } from '../../tools/tool-deps.ts';
import type { McpTools, ToolPage, ToolResult } from './mcp-tools.ts';
import { writeOutcome, writeRefusal } from './write-result.ts';

const PAGE_SIZE = 500;
const MAX_PAGES_KEPT = 200;
const MAX_NAMES_KEPT = 2_000;
const NO_TOOLS: ToolPage = { tools: Buffer.from('[]') };

export interface AggregateTools extends McpTools {
  /** Every tool that the caller may call, whole. */
  listAll(caller: ToolCaller): Promise<readonly ListedTool[]>;
}

export function createAggregateTools(deps: ToolDeps, log: Log): AggregateTools {
  const pages = new Map<string, ToolPage>();
  const readName = keepNames();

  async function listAll(caller: ToolCaller): Promise<readonly ListedTool[]> {
    const { scopes, standing } = caller;
    if (!standing?.isWorkspaceMember) return [];
    return listTools(deps.catalog, (await deps.connections.list(standing)).filter((connection) => isOpenTo(caller, connection)), { isMember: true, scopes });
  }

  return {
    listAll,

    async list(caller, cursor) {
      const { standing, scopes } = caller;
      if (!standing?.isWorkspaceMember) return NO_TOOLS;
      const connections = (await deps.connections.list(standing)).filter((connection) => isOpenTo(caller, connection));
      const key = keyOf(connections, scopes.has('connect:write'), cursor);
      const kept = pages.get(key);
      if (kept) return kept;
      const made = makePage(listTools(deps.catalog, connections, { isMember: true, scopes }), cursor);
      for (const oldest of pages.keys()) {
        if (pages.size < MAX_PAGES_KEPT) break;
        pages.delete(oldest);
      }
      pages.set(key, made);
      return made;
    },

    async call(caller, name, given, { signal }) {
      try {
        if (!deps.provider) throw new AppError('integrations_not_configured');
        const { connection, tool } = mayBeCut(name) ? await findCut(caller, name) : readTarget(name);
        return writeOutcome(await callTool(deps, caller, { connection, tool, arguments: given === undefined ? {} : given, record: false, signal }));
      } catch (error) {
        return refuse(error, log);
      }
    },
  };

  /** A name that was cut is looked for among the workspace's connections. */
  async function findCut({ standing }: ToolCaller, name: string): Promise<Target> {
    const found = standing?.isWorkspaceMember ? findNamed(deps.catalog, await deps.connections.list(standing), name) : undefined;
    return found ?? readTarget(name);
  }

  /** What is not found is called all the same, and refused like any other. */
  function readTarget(name: string): Target {
    const address = readName(name);
    if (!address || deps.catalog.byId[address.provider]?.surface === 'provider-mcp') return { connection: '', tool: '' };
    return { connection: `${address.provider}:${address.connectionName}`, tool: address.tool };
  }
}

interface Target {
  readonly connection: string;
  readonly tool: string;
}

/** What a name says never changes; names of nothing are not kept, since there is no end of them. */
function keepNames(): (name: string) => ToolAddress | undefined {
  const kept = new Map<string, ToolAddress>();
  return (name) => {
    const known = kept.get(name);
    if (known) return known;
    const address = findToolAddress(name);
    if (address) {
      if (kept.size >= MAX_NAMES_KEPT) kept.clear();
      kept.set(name, address);
    }
    return address;
  };
}

/** Runs a call to a result, whatever happens: refusals carry their text, faults leave as `internal` and are logged. */
export function answer(work: () => Promise<ToolResult>, log: Log): Promise<ToolResult> {
  return work().catch((error: unknown) => refuse(error, log));
}

function refuse(error: unknown, log: Log): ToolResult {
  if (!(error instanceof AppError)) log.error({ err: error }, 'tool call failed');
  return writeRefusal(error);
}

function makePage(all: readonly ListedTool[], cursor: string | undefined): ToolPage {
  const rest = cursor === undefined ? all : all.filter(({ name }) => name > cursor);
  const page = rest.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return { tools: Buffer.from(JSON.stringify(page.map(advertise))), ...(last && rest.length > page.length ? { nextCursor: last.name } : {}) };
}

/** All that decides a page while the process lives; the catalogue is read once, at start. */
function keyOf(connections: readonly Connection[], writes: boolean, cursor = ''): string {
  let key = `${writes} ${cursor}`;
  for (const { kind, provider, name, policy } of connections) {
    if (kind === 'integration-reference') key += `\n${provider} ${name}${isEmpty(policy.actions) ? '' : JSON.stringify(policy.actions)}`;
  }
  return key;
}

function isEmpty(actions: Readonly<Record<string, boolean>>): boolean {
  for (const _name in actions) return false;
  return true;
}
