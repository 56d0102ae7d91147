import type { Command } from 'commander';
import { findAccount, requireToken } from '../account.ts';
import { readLines } from '../api/read-lines.ts';
import type { RuntimeClient } from '../api/typed-clients.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';
import type { Host } from '../host.ts';
import type { ExportHead, ExportVerdict } from '../../src/contract/verify-export.ts';

interface Options extends Common {
  readonly head?: string;
}

const STREAM = /^(?:connect|jobs)\/[^/\\]+$/;
const PAGE = 200;

const MEANINGS = {
  index_gap: 'a receipt is missing or out of order',
  prev_mismatch: 'the link to the previous receipt is broken',
  hash_mismatch: 'the text of the receipt does not match its hash',
  head_mismatch: 'the chain ends before, differs at, or goes past a recorded head',
} as const;

export function addVerify(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'verify [stream-or-file]',
    summary:
      'Verify a stream on the service, or an exported file or saved response offline; by default, every stream that you may read',
    brief: 'Verify receipts, on the service or offline in a file',
    example: 'servicectl verify audit.jsonl --head 41:<hash>',
  })
    .option('--head <index:hash>', 'a head noted earlier, which the stream or file must contain')
    .action((target: string | undefined, options: Options) => verify(cli, target, options));
}

async function verify({ host, output }: Cli, target: string | undefined, options: Options): Promise<void> {
  const head = options.head === undefined ? undefined : readHead(options.head);
  const file = target === undefined ? undefined : await findFile(host, target);
  if (head && target === undefined)
    throw usage(
      '--head needs a stream or a file',
      'For example: servicectl verify connect/<workspace id> --head 41:<hash>',
    );
  const verdicts = file ? [await verifyFile(file, head)] : await verifyOnService(host, target, head, options);
  const broken = verdicts.filter(({ ok }) => !ok);
  if (options.json) output.json(target === undefined ? { ok: broken.length === 0, streams: verdicts } : verdicts[0]);
  else
    output.table(
      ['STREAM', 'VERDICT', 'RECEIPTS', 'HEAD'],
      verdicts.map((verdict) => [
        verdict.stream,
        describe(verdict),
        String(verdict.count),
        verdict.head === null ? '-' : `${verdict.head.index}:${verdict.head.hash}`,
      ]),
    );
  if (verdicts.length === 0) output.say('There are no receipts to verify yet.');
  const [first] = broken;
  if (!first) return;
  throw new Failure(
    `${first.stream} does not verify: ${first.reason} at index ${first.index}: ${MEANINGS[first.reason ?? 'hash_mismatch']}`,
    {
      error: first.reason ?? 'hash_mismatch',
      details: { reason: first.reason, index: first.index },
      next: nextStep(first, file !== undefined),
    },
  );
}

function nextStep({ reason, count, index = 0 }: ExportVerdict, isFile: boolean): string {
  const compare = 'Compare with an earlier export or a checkpoint: the recorded receipts, or the file, were changed.';
  return isFile && reason === 'head_mismatch' && index >= count
    ? `${compare} A saved response may also be one page of several: export the whole stream.`
    : compare;
}

function describe({ ok, reason, index }: ExportVerdict): string {
  return ok ? 'ok' : `${reason} at index ${index}`;
}

async function verifyOnService(
  host: Host,
  stream: string | undefined,
  noted: ExportHead | undefined,
  options: Options,
): Promise<ExportVerdict[]> {
  const account = await findAccount(host, options);
  requireToken(account);
  const { runtimeClient } = await import('../api/typed-clients.ts');
  const client = runtimeClient(account);
  if (stream !== undefined) {
    const verdict = (await client.receipts.verify({ stream })) as ExportVerdict;
    return [
      !verdict.ok || noted === undefined || (await hasHead(client, stream, noted))
        ? verdict
        : { ...verdict, ok: false, reason: 'head_mismatch', index: noted.index },
    ];
  }
  const verdicts: ExportVerdict[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await client.receipts.stream({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    if (!('streams' in page)) return verdicts;
    for (const { stream: name } of page.streams)
      verdicts.push((await client.receipts.verify({ stream: name })) as ExportVerdict);
    cursor = page.cursor;
    if (cursor === undefined) return verdicts;
  }
}

/** Whether the stream contains the receipt that was noted. */
async function hasHead(client: RuntimeClient, stream: string, { index, hash }: ExportHead): Promise<boolean> {
  const page = await client.receipts.stream({ stream, from: index, limit: 1 });
  return 'receipts' in page && page.receipts.some((receipt) => receipt.index === index && receipt.hash === hash);
}

interface File {
  readonly path: string;
  open(): AsyncIterable<string>;
}

/** An existing file takes precedence over a stream of the same name. */
async function findFile(host: Host, target: string): Promise<File | undefined> {
  if (target === '-') return { path: 'standard input', open: () => host.stdin.setEncoding('utf8') };
  const [{ stat }, { createReadStream }] = await Promise.all([import('node:fs/promises'), import('node:fs')]);
  if (
    await stat(target).then(
      (found) => found.isFile(),
      () => false,
    )
  )
    return { path: target, open: () => createReadStream(target, 'utf8') };
  if (STREAM.test(target)) return undefined;
  throw usage(
    `there is no file ${target}, and it is not the name of a stream`,
    'Streams are named connect/<workspace id> or jobs/<job id>; servicectl receipts lists them.',
  );
}

async function verifyFile({ path, open }: File, head: ExportHead | undefined): Promise<ExportVerdict> {
  const [{ verifyExport }, { MalformedExport }] = await Promise.all([
    import('../../src/contract/verify-export.ts'),
    import('../../src/contract/read-saved-receipts.ts'),
  ]);
  try {
    return await verifyExport(readLines(open()), head);
  } catch (error) {
    if (error instanceof MalformedExport)
      throw new Failure(`${path} is not an exported stream: ${error.message}`, {
        error: 'malformed_export',
        next: 'Export one with: servicectl receipts <stream> --export <file>',
      });
    throw new Failure(`cannot read ${path}: ${(error as Error).message}`, { next: 'Check the file.' });
  }
}

function readHead(text: string): ExportHead {
  const [, index, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (index === undefined || hash === undefined)
    throw usage('--head takes <index>:<hash>', 'servicectl verify and servicectl receipts print heads in that form.');
  return { index: Number(index), hash };
}
