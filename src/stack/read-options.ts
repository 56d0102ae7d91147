// The command line of npm start.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { LAST_GATEWAY_PORT } from './plan-ports.ts';
import { EXIT_USAGE, StackError } from './stack-error.ts';

export interface StackOptions {
  readonly port?: number;
  readonly dataDirectory?: string;
  readonly verbose: boolean;
  readonly help: boolean;
}

export const HELP = `Starts the whole service on this machine and serves until Ctrl-C.

  npm start -- [options]

  --port PORT      port of the gateway (default: SERVICE_GATEWAY_PORT or 4000); the other ports follow it
  --data-dir DIR   where data, secrets and logs are kept (default: SERVICE_DATA_DIR, DATA_DIR or .data)
  --verbose        show warnings and errors of the parts also when this is no terminal
  --help           show this

Prints "ready http://localhost:PORT" once every part answers. Logs: DIR/logs. What runs where: DIR/stack.json.
`;

export function readOptions(argv: readonly string[]): StackOptions {
  const values = parse(argv);
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(/^\d+$/.test(values.port ?? '') && port >= 1 && port <= LAST_GATEWAY_PORT)) {
    throw new StackError(`--port takes a port number from 1 to ${LAST_GATEWAY_PORT}: the other ports follow it`, EXIT_USAGE);
  }
  if (values['data-dir']?.trim() === '') throw new StackError('--data-dir takes a directory', EXIT_USAGE);
  return {
    ...(port === undefined ? {} : { port }),
    ...(values['data-dir'] === undefined ? {} : { dataDirectory: resolve(values['data-dir']) }),
    verbose: values.verbose ?? false,
    help: values.help ?? false,
  };
}

function parse(argv: readonly string[]): { port?: string; 'data-dir'?: string; verbose?: boolean; help?: boolean } {
  try {
    const options = { port: { type: 'string' }, 'data-dir': { type: 'string' }, verbose: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
    return parseArgs({ args: [...argv], options, allowPositionals: false, strict: true }).values;
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('. ');
    throw new StackError(`${reason.replace(/\.$/, '')}. npm start -- --help shows the options.`, EXIT_USAGE);
  }
}
