// JSON lines on standard output. Redaction is a second safety net: secrets are not passed to the logger in the first
// place, and configured secrets are removed from every line in case one is. A line that cannot be written, for example
// because the disk is full, must not end the process: it is retried with the next line, and while too many are pending
// further lines are dropped.
import { pino, type Logger, type LoggerOptions } from 'pino';
import type { Config } from '../base/config.ts';
import { describeError } from './describe-error.ts';
import { secretValues } from '../base/secret-values.ts';

export type Log = Logger;

const WAITING_MAX_BYTES = 256 * 1024;
const REDACTED_FIELDS = ['authorization', 'cookie', 'key', 'apiKey', 'password', 'secret', 'token', 'ciphertext'];

export function createLog(part: string, config: Config): Log {
  const secrets = secretValues(config);
  const output = pino.destination({ dest: 1, sync: true, maxLength: WAITING_MAX_BYTES });
  output.on('error', () => {});
  output.on('drop', () => attempt(() => output.flushSync()));
  const options: LoggerOptions = {
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
  };
  return pino(options, output);
}

function strike(line: string, secrets: string[]): string {
  let clean = line;
  for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, '[redacted]');
  return clean;
}

function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // Retried with the next line.
  }
}
