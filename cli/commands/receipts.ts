import type { Command } from 'commander';
import { type Account, findAccount, requireToken } from '../account.ts';
import { readEvents } from '../api/read-events.ts';
import { send } from '../api/send.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';
import type { Output } from '../output.ts';
import { hasFilter, type ReceiptFilters, searchReceipts } from '../receipts/search-receipts.ts';

interface Options extends Common, ReceiptFilters {
  readonly follow?: boolean;
  readonly from?: string;
  readonly limit: string;
  readonly export?: string;
  readonly force?: boolean;
}

interface Receipt {
  readonly index: number;
  readonly kind: string;
  readonly at: string;
  readonly actor: string;
  readonly body: unknown;
  readonly hash: string;
}

const PAGE = 200;

export function addReceipts(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'receipts [stream]',
    summary: 'List the receipt streams, show one, or search all of them',
    example: 'servicectl receipts connect/<workspace id> --follow',
  })
    .option('--follow', 'print new receipts as they are written, until Ctrl-C')
    .option('--from <index>', 'first index to show')
    .option('--limit <count>', 'how many to show', '100')
    .option(
      '--export <file>',
      'write the whole stream to a file, which servicectl verify can check offline (- for standard output)',
    )
    .option('--force', 'with --export: overwrite an existing file')
    .option('--person <user>', 'search: what this user did, and their runs, by ID')
    .option('--app <app>', 'search: tool calls in this app, such as github')
    .option('--tool <tool>', 'search: calls of this tool')
    .option('--kind <kinds>', 'search: only these kinds, separated by commas')
    .option('--since <time>', 'search: from this time on')
    .option('--until <time>', 'search: before this time')
    .action((stream: string | undefined, options: Options) => receipts(cli, stream, options));
}

async function receipts({ host, output }: Cli, stream: string | undefined, options: Options): Promise<void> {
  const [from, limit] = [count('--from', options.from ?? '0', 0), count('--limit', options.limit, 1)];
  if (stream === undefined && (options.follow || options.export !== undefined || options.from !== undefined))
    throw usage('--follow, --from and --export need a stream', 'Run servicectl receipts to list the streams.');
  if (stream !== undefined && hasFilter(options))
    throw usage('filters search all streams', 'Leave out the stream, or the filters.');
  const account = await findAccount(host, options);
  requireToken(account);
  if (hasFilter(options)) return searchReceipts(account, output, { ...options, json: options.json === true, limit });
  if (stream === undefined) return listStreams(account, output, options);
  const reading: Reading = { account, output, stream, options };
  if (options.export !== undefined) return exportStream(reading, options.export);
  if (options.follow) return follow(reading, from);
  return show(reading, from, limit);
}

/** A stream, and where its receipts are printed. */
interface Reading {
  readonly account: Account;
  readonly output: Output;
  readonly stream: string;
  readonly options: Options;
}

async function listStreams(account: Account, output: Output, { json }: Options): Promise<void> {
  const { runtimeClient } = await import('../api/typed-clients.ts');
  const client = runtimeClient(account);
  const streams: { stream: string; head: { index: number; hash: string } }[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await client.receipts.stream({ limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    if (!('streams' in page)) break;
    streams.push(...page.streams);
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  if (json) return output.json({ streams });
  if (streams.length === 0) output.say('There are no receipts yet. Tool calls and background runs write them.');
  output.table(
    ['STREAM', 'RECEIPTS', 'HEAD'],
    streams.map(({ stream, head }) => [stream, String(head.index + 1), `${head.index}:${head.hash}`]),
  );
}

async function show(
  { account, output, stream, options: { json } }: Reading,
  from: number,
  limit: number,
): Promise<void> {
  const { runtimeClient } = await import('../api/typed-clients.ts');
  const client = runtimeClient(account);
  const found: Receipt[] = [];
  let head: { index: number; hash: string } | null = null;
  while (found.length < limit) {
    const page = await client.receipts.stream({
      stream,
      from: from + found.length,
      limit: Math.min(limit - found.length, PAGE),
    });
    if (!('receipts' in page)) break;
    head = page.head;
    found.push(...(page.receipts as Receipt[]));
    if (page.receipts.length === 0 || found.length > (head?.index ?? 0)) break;
  }
  if (json) return output.json({ stream, receipts: found, head });
  if (head === null) output.say('This stream has no receipts yet.');
  output.table(['INDEX', 'AT', 'KIND', 'ACTOR', 'BODY'], found.map(row));
  const last = found.at(-1);
  if (last && head && last.index < head.index)
    output.say(`To see more: servicectl receipts ${stream} --from ${last.index + 1}`);
}

/** Prints new receipts until the service ends the stream. */
async function follow({ account, output, stream, options: { json } }: Reading, from: number): Promise<void> {
  const query = new URLSearchParams({ stream, from: String(from) });
  const response = await send(account.url, `/runtime/service/stream?${query.toString()}`, {
    bearer: requireToken(account),
    accept: 'text/event-stream',
    stream: true,
  });
  for await (const { data } of readEvents(response)) {
    if (json) output.jsonLine(JSON.parse(data));
    else output.line(row(JSON.parse(data) as Receipt).join(output.watched ? '  ' : '\t'));
  }
  throw new Failure('the service ended the stream', {
    next: 'Run it again with --from. If you are no longer a member of the workspace, ask its owner.',
  });
}

async function exportStream(
  { account, output, stream, options: { force, json } }: Reading,
  file: string,
): Promise<void> {
  const response = await send(account.url, `/runtime/service/export?${new URLSearchParams({ stream }).toString()}`, {
    bearer: requireToken(account),
    accept: 'application/x-ndjson',
    stream: true,
  });
  if (!response.body) throw new Failure('the export is empty', { next: 'Try again.' });
  if (file === '-') {
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) output.write(text);
    return;
  }
  const body = response.body;
  const { writeNewFile } = await import('../write-new-file.ts');
  await writeNewFile(
    { file, replace: force === true, next: 'Choose another file, or overwrite this one with --force.' },
    async (write) => {
      for await (const piece of body) await write(piece);
    },
  );
  if (json) return output.json({ stream, file });
  output.say(`Wrote ${file}. Check it with: servicectl verify ${file}`);
}

function row({ index, at, kind, actor, body }: Receipt): string[] {
  return [String(index), at, kind, actor, JSON.stringify(body)];
}

function count(flag: string, given: string, least: number): number {
  const value = Number(given);
  if (!Number.isSafeInteger(value) || value < least) throw usage(`${flag} takes a whole number from ${least}`);
  return value;
}
