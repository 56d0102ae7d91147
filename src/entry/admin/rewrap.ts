import { processEnvironment, readConfig } from '../../base/config.ts';
import { createLog } from '../../telemetry/log.ts';
import { rewrapKeys } from '../../keys/rewrap-keys.ts';
import { openStorage } from '../../store/open-storage.ts';
import { OperatorError } from './operator-error.ts';

/** From the wrapping key in the named variable to the one in BYOK_ENCRYPTION_KEY_B64. */
export async function rewrap(from: string): Promise<Awaited<ReturnType<typeof rewrapKeys>>> {
  const config = readConfig();
  const to = config.BYOK_ENCRYPTION_KEY_B64;
  if (to === undefined)
    throw new OperatorError(
      'BYOK_ENCRYPTION_KEY_B64 is not set',
      'Set it to the new wrapping key (create one with: openssl rand -base64 32).',
    );
  const old = readOldKey(from);
  if (old.equals(to))
    throw new OperatorError(
      'the old and the new wrapping key are the same',
      `Put the old one into ${from} and the new one into BYOK_ENCRYPTION_KEY_B64.`,
    );
  const db = await openStorage(
    config,
    'servicectl',
    createLog('servicectl', { ...config, SERVICE_LOG_LEVEL: 'silent' }),
  );
  try {
    return await rewrapKeys(db, old, to);
  } finally {
    await db.close();
  }
}

function readOldKey(name: string): Buffer {
  const text = processEnvironment()[name]?.trim() ?? '';
  const bytes = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  if (bytes?.length === 32) return bytes;
  throw new OperatorError(
    text === '' ? `${name} is not set` : `${name} takes base64 that decodes to exactly 32 bytes`,
    'Put the old wrapping key there.',
  );
}
