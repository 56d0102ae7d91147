// All tools of a workspace's connections behind one list. The serialised list of a workspace is kept, once for those
// who may write and once for those who may not, together with everything that decided it: it serves for as long as
// that is the same. A caller's own words are in no key, and what one workspace does moves no other's list.
import { type CacheKey, cacheKey } from '../../base/cache-key.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { reportFailure } from '../../base/report-failure.ts';
import type { Connection } from '../../connections/connection-types.ts';
import { createBoundedMap } from '../../timing/bounded-cache.ts';
import { callTool, isOpenTo, type ToolCaller } from '../../tools/call-tool.ts';
import { advertise, findNamed, type ListedTool, listTools } from '../../tools/list-tools.ts';
import { findToolAddress, mayBeCut, type ToolAddress } from '../../tools/name-tool.ts';
import type { ToolDeps } from '../../tools/tool-deps.ts';
import type { McpTools, ToolPage, ToolResult } from './mcp-tools.ts';
import { writeOutcome, writeRefusal } from './write-result.ts';

const PAGE_SIZE = 500;
const MAX_LISTS_KEPT = 2_000;
const MAX_BYTES_KEPT = 64 * 1024 * 1024;
const MAX_NAMES_KEPT = 2_000;
const NO_TOOLS: ToolPage = { tools: Buffer.from('[]') };

export interface AggregateTools extends McpTools {
  /** Every tool that the caller may call, whole. */
  listAll(caller: ToolCaller): Promise<readonly ListedTool[]>;
}

export function createAggregateTools(deps: ToolDeps, log: Log): AggregateTools {
  const lists = keepLists();
  const readName = keepNames();

  async function listAll(caller: ToolCaller): Promise<readonly ListedTool[]> {
    const { scopes, standing } = caller;
    if (!standing?.isWorkspaceMember) return [];
    return listTools(
      deps.catalog,
      (await deps.connections.list(standing)).filter((connection) => isOpenTo(caller, connection)),
      { isMember: true, scopes },
    );
  }

  return {
    listAll,

    async list(caller, cursor) {
      const { standing, scopes } = caller;
      if (!standing?.isWorkspaceMember) return NO_TOOLS;
      const connections = (await deps.connections.list(standing)).filter((connection) => isOpenTo(caller, connection));
      const make = (): ToolPage => makePage(listTools(deps.catalog, connections, { isMember: true, scopes }), cursor);
      // Later pages are rare, and where one begins is up to the caller.
      if (cursor !== undefined) return make();
      return lists.get(
        cacheKey(
          standing.organizationId,
          standing.workspaceId,
          scopes.has('connect:write'),
          caller.capabilities ? [...caller.capabilities].toSorted() : null,
        ),
        versionOf(connections),
        make,
      );
    },

    async call(caller, name, given, { signal }) {
      try {
        if (!deps.provider) throw new AppError('integrations_not_configured');
        const { connection, tool } = mayBeCut(name) ? await findCut(caller, name) : readTarget(name);
        return writeOutcome(
          await callTool(deps, caller, {
            connection,
            tool,
            arguments: given === undefined ? {} : given,
            record: false,
            signal,
          }),
        );
      } catch (error) {
        return refuse(error, log);
      }
    },
  };

  /** A name that was cut is looked for among the workspace's connections. */
  async function findCut(caller: ToolCaller, name: string): Promise<Target> {
    if (!caller.standing?.isWorkspaceMember) return readTarget(name);
    const connections = (await deps.connections.list(caller.standing)).filter((connection) =>
      isOpenTo(caller, connection),
    );
    return findNamed(deps.catalog, connections, name) ?? readTarget(name);
  }

  /** What is not found is called all the same, and refused like any other. */
  function readTarget(name: string): Target {
    const address = readName(name);
    if (!address || deps.catalog.byId[address.provider]?.surface === 'provider-mcp')
      return { connection: '', tool: '' };
    return { connection: `${address.provider}:${address.connectionName}`, tool: address.tool };
  }
}

interface Target {
  readonly connection: string;
  readonly tool: string;
}

/** What a name says never changes; names of nothing are not kept, since there is no end of them. */
function keepNames(): (name: string) => ToolAddress | undefined {
  const kept = createBoundedMap<string, ToolAddress>(MAX_NAMES_KEPT);
  return (name) => {
    const known = kept.get(name);
    if (known) return known;
    const address = findToolAddress(name);
    if (address) kept.set(name, address);
    return address;
  };
}

/** Runs a call to a result, whatever happens: refusals carry their text, faults leave as `internal` and are logged. */
export function answer(work: () => Promise<ToolResult>, log: Log): Promise<ToolResult> {
  return work().catch((error: unknown) => refuse(error, log));
}

function refuse(error: unknown, log: Log): ToolResult {
  reportFailure(log, error);
  return writeRefusal(error);
}

function makePage(all: readonly ListedTool[], cursor: string | undefined): ToolPage {
  const rest = cursor === undefined ? all : all.filter(({ name }) => name > cursor);
  const page = rest.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return {
    tools: Buffer.from(JSON.stringify(page.map(advertise))),
    ...(last && rest.length > page.length ? { nextCursor: last.name } : {}),
  };
}

interface KeptList {
  readonly version: CacheKey;
  readonly page: ToolPage;
}

/** One list for each key, remade when its version is another. Bounded in number and in bytes: the one longest unused goes first. */
function keepLists(): { get(key: CacheKey, version: CacheKey, make: () => ToolPage): ToolPage } {
  const kept = createBoundedMap<CacheKey, KeptList>(MAX_LISTS_KEPT, { of: sizeOf, most: MAX_BYTES_KEPT });
  return {
    get(key, version, make) {
      const known = kept.get(key);
      const page = known?.version === version ? known.page : make();
      kept.set(key, { version, page });
      return page;
    },
  };
}

const sizeOf = ({ version, page }: KeptList): number => version.length + page.tools.length;

/** All that decides a workspace's list while the process lives; the catalogue is read once, at start. */
function versionOf(connections: readonly Connection[]): CacheKey {
  return cacheKey(
    ...connections.map(({ id, kind, provider, name, policy }) => [
      id,
      kind,
      provider,
      name,
      Object.entries(policy.actions),
    ]),
  );
}
