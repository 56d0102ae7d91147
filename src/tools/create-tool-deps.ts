import { Agent } from 'undici';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import type { Catalog } from '../catalog/connector-types.ts';
import { findConnection, listConnections } from '../connections/find-connection.ts';
import { markById, readReference } from '../connections/stored-reference.ts';
import type { NangoClient } from '../nango/nango-client.ts';
import { findNangoSettings } from '../nango/nango-settings.ts';
import type { ReceiptWriter } from '../receipts/receipt-writer.ts';
import type { Database } from '../store/database.ts';
import { createLoadingCache } from '../timing/bounded-cache.ts';
import { createSchemaChecks } from './compile-schemas.ts';
import { createMcpOpener } from './provider-mcp-session.ts';
import type { ToolDeps } from './tool-deps.ts';

export interface ToolParts {
  readonly db: Database;
  readonly config: Config;
  readonly catalog: Catalog;
  readonly nango: NangoClient | undefined;
  readonly receipts: ReceiptWriter;
  readonly clock: Clock;
  readonly version: string;
}

const CALL_TIMEOUT_MS = 30_000;

/** Tool calls over the stored connections and the configured integration provider. */
export function createToolDeps({
  db,
  config,
  catalog,
  nango,
  receipts,
  clock,
  version,
}: ToolParts): ToolDeps & { close(): Promise<void> } {
  const nowMs = (): number => clock().getTime();
  const settings = findNangoSettings(config);
  const dispatcher = new Agent({ connections: 16, keepAliveTimeout: 30_000, connect: { timeout: 5_000 } });
  return {
    catalog,
    connections: {
      find: (place, selector) => findConnection(db, place, selector),
      list: (place) => listConnections(db, place),
      readReference(connection) {
        const reference = readReference(config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64, connection);
        if (reference.kind !== 'integration-reference') throw new AppError('tool_not_found');
        return reference;
      },
      async restore({ id }) {
        await markById(db, id, 'call answered');
      },
    },
    provider: nango &&
      settings && {
        proxy: nango.proxy,
        getConnection: nango.getConnection,
        openMcpServer: createMcpOpener({ settings, dispatcher, version }),
      },
    receipts,
    schemas: createSchemaChecks(),
    sites: createLoadingCache({ ttlMs: 10 * 60_000, most: 1_000, nowMs }),
    discovered: createLoadingCache({ ttlMs: 60_000, most: 500, nowMs }),
    timeoutMs: CALL_TIMEOUT_MS,
    close: () => dispatcher.destroy(),
  };
}
