import type { Connector, Surface } from '../../catalog/connector-types.ts';
import type { ProviderAnswer } from '../provider-request.ts';
import type { Sending } from '../provider-sending.ts';
import type { ToolDeps } from '../tool-deps.ts';

export type Arguments = Readonly<Record<string, unknown>>;
export type ConnectorOn<S extends Surface> = Extract<Connector, { surface: S }>;

/** A call with everything about it decided, which only has to be made. */
export type PreparedCall = (deps: ToolDeps, sending: Sending) => Promise<ProviderAnswer>;
