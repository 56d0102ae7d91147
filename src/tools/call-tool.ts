// A tool call, over REST and over MCP. The order is the specification: member → enabled → scope → repositories →
// schema → receipt `tool.called` → app → receipt `tool.observed` or `tool.failed`. Calls over MCP write no receipts. If an
// app's own MCP server does not say which tools it has, the checks cannot be completed: the call fails with `tool.failed`
// alone.
import { createHash } from 'node:crypto';
import { connectStream } from '../audit/stream-names.ts';
import { canonicalJson, type Json } from '../base/canonical-json.ts';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { findConnector, findTool } from '../catalog/find-connector.ts';
import type { Connector, Tool } from '../catalog/connector-types.ts';
import { capabilityKey } from '../connections/capabilities.ts';
import { isRestoredByCall } from '../connections/connection-status.ts';
import type { Connection } from '../connections/connection-types.ts';
import type { Scope } from '../contract/tokens.ts';
import type { Membership } from '../tenancy/members/membership.ts';
import { findRefusal } from './authorize-tool.ts';
import { checkRepository } from './check-repository.ts';
import type { Arguments, ProviderAnswer, ProviderContext } from './provider-call.ts';
import { asUncertainWrite } from './provider-faults.ts';
import { discoverTools } from './surfaces/provider-mcp.ts';
import { prepareCall } from './surfaces/surfaces.ts';
import type { DiscoveredTool, ToolDeps } from './tool-deps.ts';

export interface ToolCaller {
  readonly userId: string;
  readonly scopes: ReadonlySet<Scope>;
  /** In the addressed workspace; undefined for anyone without access to it. */
  readonly membership: Membership | undefined;
  /** Capability keys of the only connections the caller's token is for; undefined means all of the workspace. */
  readonly capabilities?: ReadonlySet<string> | undefined;
}

export function isConnectionAllowed(
  { capabilities }: Pick<ToolCaller, 'capabilities'>,
  connection: Pick<Connection, 'provider' | 'name'>,
): boolean {
  return capabilities === undefined || capabilities.has(capabilityKey(connection));
}

export interface ToolCall {
  /** Id, or `provider:name`. */
  readonly connection: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** Whether the call is recorded: it is over REST, not over MCP. */
  readonly record: boolean;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

export interface ReceiptPointer {
  readonly stream: string;
  readonly index: number;
  readonly hash: string;
}

/** The app answered, or the call failed. Our own refusals are thrown before anything is recorded. */
export type ToolOutcome = { readonly receipt: ReceiptPointer | undefined } & (
  | { readonly answer: ProviderAnswer }
  | { readonly failure: unknown }
);

export async function callTool(deps: ToolDeps, caller: ToolCaller, call: ToolCall): Promise<ToolOutcome> {
  const { userId, scopes, membership } = caller;
  const member = membership?.isWorkspaceMember ? membership : undefined;
  const found = member && (await findCallable(deps, member, call.connection));
  const connection = found && isConnectionAllowed(caller, found) ? found : undefined;
  const connector = connection && findConnector(deps.catalog, connection.provider);
  const open = prepareContext(deps, connection, call.signal);
  const recordIn = (membership: Membership, on: Connection, tool: string, given: Arguments): Recorder | undefined =>
    call.record
      ? createRecorder(deps, { userId, workspaceId: membership.workspaceId, connection: on, tool, given })
      : undefined;

  const looked = connector && (await lookUpTool(deps, connector, open, call.tool));
  if (member && connection && looked && 'failure' in looked && connection.policy.actions[call.tool] !== false) {
    const record = recordIn(member, connection, call.tool, requireObject(call.arguments));
    return { failure: looked.failure, receipt: await record?.('tool.failed', { error: codeOf(looked.failure) }) };
  }
  const tool = looked && 'tool' in looked ? looked.tool : undefined;

  const refusal = findRefusal({ isMember: member !== undefined, scopes, policy: connection?.policy, tool });
  if (refusal) throw refusal;
  if (!member || !connection || !connector || !tool) throw new AppError('tool_not_found');

  checkRepository(connector, connection.policy.repositories, call.arguments);
  const given = checkArguments(deps, connector, tool, call.arguments);
  const run = prepareCall(connector, tool.name, given);
  const context = open();

  const record = recordIn(member, connection, tool.name, given);
  if (record) await record('tool.called', {});
  try {
    const answer = await run(deps, context);
    const isAnswered = answer.status >= 200 && answer.status < 300;
    const receipt = record && (await record(isAnswered ? 'tool.observed' : 'tool.failed', { status: answer.status }));
    // If this fails, the next call does it; the answer counts.
    if (isAnswered && isRestoredByCall(connection)) await deps.connections.restore(connection).catch(() => {});
    return { answer, receipt };
  } catch (caught) {
    const failure = tool.access === 'write' ? asUncertainWrite(caught) : caught;
    return { failure, receipt: await record?.('tool.failed', { error: codeOf(failure) }) };
  }
}

function codeOf(failure: unknown): string {
  return failure instanceof AppError ? failure.code : 'internal';
}

/** Connections imported from local tools have no tools: the integration provider does not know them. */
async function findCallable(deps: ToolDeps, membership: Membership, selector: string): Promise<Connection | undefined> {
  const connection = await deps.connections.find(membership, selector);
  return connection?.kind === 'integration-reference' ? connection : undefined;
}

/** The deadline starts now; the reference is decrypted only when the returned function is called. */
export function prepareContext(
  deps: ToolDeps,
  connection: Connection | undefined,
  signal: AbortSignal,
): () => ProviderContext {
  const deadlineMs = performance.now() + deps.timeoutMs;
  return () => {
    if (!connection) throw new AppError('tool_not_found');
    if (!deps.provider) throw new AppError('integrations_not_configured');
    return {
      provider: deps.provider,
      connection,
      reference: deps.connections.readReference(connection),
      deadlineMs,
      signal,
    };
  };
}

/** The tool if there is one, or why the app did not say. */
async function lookUpTool(
  deps: ToolDeps,
  connector: Connector,
  open: () => ProviderContext,
  name: string,
): Promise<{ readonly tool: Tool | DiscoveredTool | undefined } | { readonly failure: unknown }> {
  if (connector.surface !== 'provider-mcp') return { tool: findTool(connector, name) };
  const context = open();
  try {
    return { tool: (await discoverTools(deps, connector, context)).find((tool) => tool.name === name) };
  } catch (failure) {
    return { failure };
  }
}

/** An app's own MCP server checks arguments against its schemas; here they only have to be an object. */
function checkArguments(deps: ToolDeps, connector: Connector, tool: Tool | DiscoveredTool, given: unknown): Arguments {
  const object = requireObject(given);
  if (connector.surface !== 'provider-mcp') deps.schemas.check((tool as Tool).inputSchema, object);
  return object;
}

function requireObject(given: unknown): Arguments {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new AppError('invalid_request', { arguments: 'must be an object' });
  return given as Arguments;
}

interface Recorded {
  readonly userId: string;
  readonly workspaceId: string;
  readonly connection: Connection;
  readonly tool: string;
  readonly given: Arguments;
}

type Recorder = (
  kind: 'tool.called' | 'tool.observed' | 'tool.failed',
  more: { status?: number; error?: string },
) => Promise<ReceiptPointer>;

/** Receipts say what was called and prove with which arguments, but contain neither the arguments nor the result. */
function createRecorder(deps: ToolDeps, { userId, workspaceId, connection, tool, given }: Recorded): Recorder {
  const argumentsHash = hashArguments(given);
  const about = {
    call: newId('call'),
    connection: connection.id,
    provider: connection.provider,
    name: connection.name,
    tool,
    argumentsHash,
  };
  return async (kind, more) => {
    const { stream, index, hash } = await deps.receipts.append(connectStream(workspaceId), {
      kind,
      actor: `user:${userId}`,
      body: { ...about, ...more },
    });
    return { stream, index, hash: hash.toString('hex') };
  };
}

function hashArguments(given: Arguments): string {
  try {
    return createHash('sha256')
      .update(canonicalJson(given as Json))
      .digest('hex');
  } catch (error) {
    throw new AppError('invalid_request', { arguments: 'must be well-formed text' }, { cause: error });
  }
}
