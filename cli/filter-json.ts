// --jq: filters the JSON output of a command with jq, compiled to WebAssembly, and prints as `jq -r` does. It is loaded
// on demand and has access to neither the environment nor the file system.
import { Failure, usage } from './failure.ts';

export type JsonFilter = (value: unknown) => Promise<string>;

export async function createJsonFilter(expression: string, pretty: boolean): Promise<JsonFilter> {
  const { raw } = (await import('jq-wasm')).default;
  const flags = pretty ? ['-r'] : ['-r', '-c'];
  // A syntax error is reported before any request is sent.
  await raw('null', `empty | (${expression}\n)`, flags).catch((error: Error) =>
    Promise.reject(usage(`--jq has an invalid expression: ${firstLine(error)}`, "For example: --jq '.jobs[].id'")),
  );
  // Collected into an array first: jq-wasm reports an error only if nothing was printed before it.
  const whole = `[${expression}\n] | .[]`;
  return (value) =>
    raw(JSON.stringify(value), whole, flags).catch((error: Error) =>
      Promise.reject(
        new Failure(`--jq failed: ${firstLine(error)}`, {
          error: 'jq_failed',
          next: 'Check the output with --json, then fix the expression.',
        }),
      ),
    );
}

function firstLine({ message }: Error): string {
  return (message.split('\n')[0] ?? '').replace(/^(?:Failed to execute raw query: )?jq: error(?: \(at [^)]*\))?: /, '');
}
