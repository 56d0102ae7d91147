// JSON lines on standard output. Redaction is a second net: secrets are not handed to the logger in the first
// place, and every secret of the configuration is struck from a line should one get that far.
import { pino, type Logger } from 'pino';
import type { Config } from './config.ts';
import { describeError } from './describe-error.ts';
import { secretValues } from './secret-values.ts';

export type Log = Logger;

const REDACTED_FIELDS = ['authorization', 'cookie', 'key', 'apiKey', 'password', 'secret', 'token', 'ciphertext'];

export function createLog(part: string, config: Config): Log {
  const secrets = secretValues(config);
  return pino({
    level: config.SERVICE_LOG_LEVEL,
    base: { part, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => describeError(error) },
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: REDACTED_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `headers["${field}"]`]),
      censor: '[redacted]',
    },
    ...(secrets.length > 0 ? { hooks: { streamWrite: (line: string) => strike(line, secrets) } } : {}),
  });
}

function strike(line: string, secrets: string[]): string {
  let clean = line;
  for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, '[redacted]');
  return clean;
}
