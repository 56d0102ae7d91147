// All tools of a workspace's connections in one list. Serialised lists are cached per workspace, scope and capabilities,
// with a version made of everything the list depends on, and rebuilt when that changes. Cache keys contain no text from
// callers, and a change in one workspace does not affect the lists of others.
import { type CacheKey, cacheKey } from '../../base/cache-key.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { reportFailure } from '../../telemetry/report-failure.ts';
import type { Connection } from '../../connections/connection-types.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import { createBoundedMap } from '../../timing/bounded-cache.ts';
import { joinReads } from '../../timing/join-reads.ts';
import { callTool, isConnectionAllowed, type ToolCaller } from '../../tools/call-tool.ts';
import { advertise, findToolByName, type ListedTool, listTools } from '../../tools/list-tools.ts';
import { findToolAddress, mayBeTruncated, type ToolAddress } from '../../tools/name-tool.ts';
import type { ToolDeps } from '../../tools/tool-deps.ts';
import type { McpTools, ToolPage, ToolResult } from './mcp-tools.ts';
import { writeOutcome, writeRefusal } from './write-result.ts';

const PAGE_SIZE = 500;
const MAX_CACHED_LISTS = 2_000;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
const MAX_CACHED_NAMES = 2_000;
const NO_TOOLS: ToolPage = { tools: Buffer.from('[]') };

export interface AggregateTools extends McpTools {
  /** Every tool the caller may call, unpaged. */
  listAll(caller: ToolCaller): Promise<readonly ListedTool[]>;
}

export function createAggregateTools(deps: ToolDeps, log: Log): AggregateTools {
  const lists = createListCache();
  const readName = createNameCache();
  // Agents of one workspace ask for the same rows at the same time.
  const joined = joinReads<readonly Connection[]>();

  async function listAllowed(caller: ToolCaller, membership: Membership): Promise<readonly Connection[]> {
    const all = await joined(cacheKey(membership.organizationId, membership.workspaceId), () =>
      deps.connections.list(membership),
    );
    return all.filter((connection) => isConnectionAllowed(caller, connection));
  }

  return {
    async listAll(caller) {
      const { scopes, membership } = caller;
      if (!membership?.isWorkspaceMember) return [];
      return listTools(deps.catalog, await listAllowed(caller, membership), { isMember: true, scopes });
    },

    async list(caller, cursor) {
      const { membership, scopes } = caller;
      if (!membership?.isWorkspaceMember) return NO_TOOLS;
      const connections = await listAllowed(caller, membership);
      const make = (): ToolPage => makePage(listTools(deps.catalog, connections, { isMember: true, scopes }), cursor);
      // Later pages are rare, and their cursors come from callers.
      if (cursor !== undefined) return make();
      return lists.get(
        cacheKey(
          membership.organizationId,
          membership.workspaceId,
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
        const { connection, tool } = mayBeTruncated(name) ? await findTruncated(caller, name) : readTarget(name);
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

  /** A truncated name is looked up among the workspace's connections. */
  async function findTruncated(caller: ToolCaller, name: string): Promise<Target> {
    if (!caller.membership?.isWorkspaceMember) return readTarget(name);
    const connections = await listAllowed(caller, caller.membership);
    return findToolByName(deps.catalog, connections, name) ?? readTarget(name);
  }

  /** An unknown name resolves to an empty target, which the call refuses like any unknown tool. */
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

/** Parsing a name always gives the same result. Invalid names are not cached, since there is no limit to them. */
function createNameCache(): (name: string) => ToolAddress | undefined {
  const cached = createBoundedMap<string, ToolAddress>(MAX_CACHED_NAMES);
  return (name) => {
    const known = cached.get(name);
    if (known) return known;
    const address = findToolAddress(name);
    if (address) cached.set(name, address);
    return address;
  };
}

/** Turns errors into results: refusals keep their text, faults become `internal` and are logged. */
export function toResult(work: () => Promise<ToolResult>, log: Log): Promise<ToolResult> {
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

interface CachedList {
  readonly version: CacheKey;
  readonly page: ToolPage;
}

/** One list per key, rebuilt when its version differs. Bounded in number and bytes; the least recently used goes first. */
function createListCache(): { get(key: CacheKey, version: CacheKey, make: () => ToolPage): ToolPage } {
  const cached = createBoundedMap<CacheKey, CachedList>(MAX_CACHED_LISTS, { of: sizeOf, most: MAX_CACHED_BYTES });
  return {
    get(key, version, make) {
      const known = cached.get(key);
      const page = known?.version === version ? known.page : make();
      cached.set(key, { version, page });
      return page;
    },
  };
}

const sizeOf = ({ version, page }: CachedList): number => version.length + page.tools.length;

/** Everything a workspace's list depends on, except the catalogue, which is loaded once at start. */
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
