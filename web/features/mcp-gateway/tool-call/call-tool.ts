// A tool call over REST, and its outcome: the app's response, or a refusal before it.
import { ORPCError } from '@orpc/client';
import { type Access, fetchConnect } from '../../../api/runtime-client.ts';
import type { WorkspaceNames } from '../../../api/workspace-names.ts';
import { readFault } from '../../../api/fault.ts';
import { explainRefusal } from './explain-refusal.ts';

export interface ToolCall {
  readonly connection: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The access of the call's token. */
  readonly access: Access;
}

export interface ReceiptPointer {
  readonly stream: string;
  readonly index: number;
}

export type CallOutcome =
  | {
      readonly kind: 'answered';
      readonly ok: boolean;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly data: unknown;
      readonly mustReconnect: boolean;
      readonly receipt: ReceiptPointer | undefined;
    }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly text: string;
      readonly fields: Readonly<Record<string, string>>;
      readonly receipt: ReceiptPointer | undefined;
    };

interface AnswerBody {
  readonly ok: boolean;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: unknown;
  readonly error?: string;
  readonly receipt?: ReceiptPointer | null;
}

/** Throws only when there was no response. */
export async function callTool(
  { organization, workspace }: WorkspaceNames,
  { access, ...call }: ToolCall,
  signal: AbortSignal,
): Promise<CallOutcome> {
  try {
    const response = await fetchConnect(organization, '/call', {
      method: 'POST',
      access,
      signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...call, workspace }),
    });
    const { ok, status, headers = {}, data, error, receipt } = (await response.json()) as AnswerBody;
    return {
      kind: 'answered',
      ok,
      status,
      headers,
      data,
      mustReconnect: error === 'reconnect_required',
      receipt: receipt ?? undefined,
    };
  } catch (error) {
    if (!(error instanceof ORPCError)) throw error;
    const { status, code, text, fields } = readFault(error);
    const { receipt } = (error.data ?? {}) as { receipt?: ReceiptPointer };
    return { kind: 'refused', status, code, text: explainRefusal(code) ?? text, fields, receipt };
  }
}
