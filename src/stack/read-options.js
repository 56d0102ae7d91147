// @ts-check
// The command line of npm start. Plain JavaScript, like everything that scripts/run.mjs imports: help and errors about
// options must work before anything is installed or built, on the oldest Node that can start it.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The highest gateway port that leaves room for the others: see plan-ports.ts. */
export const LAST_GATEWAY_PORT = 65_526;

export const HELP = `Starts the whole service on this machine and serves until Ctrl-C.

  npm start -- [options]

  --port PORT      port of the gateway (default: SERVICE_GATEWAY_PORT or 4000); the other ports follow it
  --data-dir DIR   where data, secrets and logs are kept (default: SERVICE_DATA_DIR, DATA_DIR or .data)
  --verbose        show warnings and errors of the parts even when standard error is not a terminal
  --help           show this

The first start installs packages and builds. "ready http://localhost:PORT" is printed once every part answers.
Logs are in DIR/logs; DIR/stack.json says what runs where.

Models are demo ones until OPENAI_API_KEY or ANTHROPIC_API_KEY is set. All variables: docs/reference/environment.md.
`;

/** A mistake on the command line, as one line. */
export class UsageError extends Error {
  /** @override */
  name = 'UsageError';
}

/**
 * @typedef {{ readonly port?: number, readonly dataDirectory?: string, readonly verbose: boolean, readonly help: boolean }} StackOptions
 * @param {readonly string[]} argv
 * @returns {StackOptions}
 */
export function readOptions(argv) {
  const values = parse(argv);
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(/^\d+$/.test(values.port ?? '') && port >= 1 && port <= LAST_GATEWAY_PORT)) {
    throw new UsageError(`--port takes a port number from 1 to ${LAST_GATEWAY_PORT}: the other ports follow it`);
  }
  if (values['data-dir']?.trim() === '') throw new UsageError('--data-dir takes a directory');
  return {
    ...(port === undefined ? {} : { port }),
    ...(values['data-dir'] === undefined ? {} : { dataDirectory: resolve(values['data-dir']) }),
    verbose: values.verbose ?? false,
    help: values.help ?? false,
  };
}

/** @param {readonly string[]} argv */
function parse(argv) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        port: { type: 'string' },
        'data-dir': { type: 'string' },
        verbose: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: false,
      strict: true,
    }).values;
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('. ');
    throw new UsageError(`${reason.replace(/\.$/, '')}. npm start -- --help shows the options.`);
  }
}
