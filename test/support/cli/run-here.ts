// The commands of servicectl, run in the process of the test against a real service: what they do is the same as in a
// process of their own, which takes longer to start than most of them need.
import { PassThrough } from 'node:stream';
import { run } from '../../../cli/run.ts';
import type { Ran } from './servicectl.ts';

export async function runHere(
  args: readonly string[],
  { environment, input = '' }: { readonly environment: Readonly<Record<string, string>>; readonly input?: string },
): Promise<Ran> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const output = { stdout: '', stderr: '' };
  stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  stdin.end(input);
  const code = await run(args, { environment, stdin, stdout, stderr });
  await Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.end().once('end', resolve))));
  return { code, ...output };
}
