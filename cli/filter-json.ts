// --jq: what a command prints as JSON goes through jq itself, compiled to WebAssembly, and is printed as `jq -r` would.
// It is loaded only when it is asked for, and sees neither the environment nor the files of the machine.
import { Failure, usage } from './failure.ts';

export type JsonFilter = (value: unknown) => Promise<string>;

export async function createJsonFilter(expression: string, pretty: boolean): Promise<JsonFilter> {
  const { raw } = (await import('jq-wasm')).default;
  const flags = pretty ? ['-r'] : ['-r', '-c'];
  // An expression that jq cannot read is found before anything is asked of the service.
  await raw('null', `empty | (${expression}\n)`, flags).catch((error: Error) =>
    Promise.reject(usage(`--jq cannot read its expression: ${firstLine(error)}`, "For example: --jq '.jobs[].id'")),
  );
  // Collected first: jq-wasm reports a fault only where nothing was printed before it.
  const whole = `[${expression}\n] | .[]`;
  return (value) =>
    raw(JSON.stringify(value), whole, flags).catch((error: Error) =>
      Promise.reject(
        new Failure(`--jq failed: ${firstLine(error)}`, {
          error: 'jq_failed',
          next: 'Look at what there is without --jq, then change the expression.',
        }),
      ),
    );
}

function firstLine({ message }: Error): string {
  return (message.split('\n')[0] ?? '').replace(/^(?:Failed to execute raw query: )?jq: error(?: \(at [^)]*\))?: /, '');
}
