// The one decision about a tool, for the list and for the call: member, then enabled, then scope. In any other order
// the refusals would reveal which tools exist. Pure.
import { AppError } from '../base/errors.ts';
import type { Access } from '../catalog/connector-types.ts';
import { type ConnectionPolicy, isActionEnabled } from '../connections/policy.ts';
import type { Scope } from '../contract/tokens.ts';

export interface ToolQuestion {
  /** Whether the caller is a member of the workspace that owns the connection. */
  readonly isMember: boolean;
  readonly scopes: ReadonlySet<Scope>;
  /** Undefined when the selector matches no connection of the workspace. */
  readonly policy: Pick<ConnectionPolicy, 'actions'> | undefined;
  /** Undefined when the connection has no tool with that name. */
  readonly tool: { readonly name: string; readonly access: Access } | undefined;
}

/** The refusal, or undefined when the tool may be called. */
export function findRefusal({ isMember, scopes, policy, tool }: ToolQuestion): AppError | undefined {
  if (!isMember) return new AppError('workspace_membership_required');
  if (!policy || !tool || !isActionEnabled(policy, tool)) return new AppError('tool_not_found');
  if (tool.access === 'write' && !scopes.has('connect:write'))
    return new AppError('write_scope_required', { tool: tool.name });
  return undefined;
}
