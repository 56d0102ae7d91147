// The tools of the workspace's connections, through the service's own MCP endpoint and so under all of its checks: the run
// can do what the person who started it may do, and no more.
import { createMCPClient } from '@ai-sdk/mcp';
import type { Tool, ToolSet } from 'ai';
import type { Json } from '../../base/canonical-json.ts';
import { isStorableJson } from '../../base/storable-json.ts';
import { RunFailure } from '../../runs/delivery/engine.ts';
import type { AgentTool, AgentTools } from './agent-tool.ts';
import { keepOutput } from './cut-output.ts';
import type { RunNotes } from './run-notes.ts';
import { selectTools } from './select-tools.ts';

export interface ConnectAccess {
  readonly url: string;
  /** Sends the run's token with every request. */
  readonly fetch: typeof globalThis.fetch;
}

export interface ConnectTools {
  readonly tools: AgentTools;
  close(): Promise<void>;
}

/** For a run that names capabilities: it does not go on without them. */
export function appsUnreachable(): RunFailure {
  return new RunFailure(
    'connect_unreachable',
    'The connected apps that the run names could not be reached. Try again shortly.',
  );
}

/** With more tools than this, the model gets tools for finding tools: every description costs tokens. */
const OFFERED_MAX = 40;
/** The provider's limit, less room for the shell. */
const NAMED_MAX = 120;
const OPEN_TIMEOUT_MS = 20_000;

type Execute = (input: unknown, options: unknown) => unknown;

interface OpenClient {
  readonly tools: ToolSet;
  close(): Promise<void>;
}

export async function openConnectTools(
  access: ConnectAccess,
  capabilities: readonly string[],
  notes: RunNotes,
  signal: AbortSignal,
): Promise<ConnectTools> {
  const whole = await open(access, '', signal);
  const names = selectTools(Object.keys(whole.tools), capabilities);
  if (names.length <= OFFERED_MAX || capabilities.length > 0)
    return { tools: pick(whole.tools, names.slice(0, NAMED_MAX), notes, signal), close: whole.close };
  await whole.close();
  const search = await open(access, '?tools=search', signal);
  return { tools: pick(search.tools, Object.keys(search.tools), notes, signal), close: search.close };
}

async function open({ url, fetch: send }: ConnectAccess, query: string, signal: AbortSignal): Promise<OpenClient> {
  const client = await createMCPClient({
    transport: { type: 'http', url: `${url}${query}`, fetch: send },
    clientName: 'service-run',
    initializationOptions: { signal, timeout: OPEN_TIMEOUT_MS },
  });
  try {
    const tools = (await client.tools()) as ToolSet;
    return { tools, close: () => client.close() };
  } catch (error) {
    await client.close();
    throw error;
  }
}

function pick(tools: ToolSet, names: readonly string[], notes: RunNotes, signal: AbortSignal): AgentTools {
  const picked: Record<string, AgentTool> = {};
  for (const name of names) {
    const found = tools[name];
    const execute = found?.execute as Execute | undefined;
    if (!found || !execute) continue;
    const { execute: _ours, ...offer } = found;
    picked[name] = {
      offer: offer as Tool,
      async run({ call, input }) {
        await notes.toolStarted(name, call, { arguments: detailOf(input) });
        const startedAt = performance.now();
        const result = cutResult(await callOrExplain(() => execute(input, { toolCallId: call, messages: [] }), signal));
        await notes.toolEnded(
          name,
          call,
          { ok: !result.isError, ms: Math.round(performance.now() - startedAt) },
          { arguments: detailOf(input), result: result.text },
        );
      },
    };
  }
  return picked;
}

/** A failed call is reported to the model like a refusal, unless the run has ended. */
async function callOrExplain(call: () => unknown, signal: AbortSignal): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    if (signal.aborted) throw error;
    return {
      isError: true,
      content: [
        {
          type: 'text',
          text: 'The tool did not answer: it is not known whether it did anything. Find out before you call it again.',
        },
      ],
    };
  }
}

interface CutResult {
  readonly text: string;
  readonly isError: boolean;
}

/** Text only, with the same limits as the output of a command. */
function cutResult(result: unknown): CutResult {
  const { content = [], isError } = (result ?? {}) as {
    content?: readonly { type: string; text?: string }[];
    isError?: boolean;
  };
  const output = keepOutput();
  for (const part of content) output.add(part.type === 'text' ? (part.text ?? '') : `[${part.type} left out]`);
  return { text: output.read().text, isError: isError === true };
}

function detailOf(input: unknown): Json {
  const text = JSON.stringify(input) ?? 'null';
  return text.length > 16_000 || !isStorableJson(input)
    ? text.slice(0, 16_000).toWellFormed()
    : (JSON.parse(text) as Json);
}
