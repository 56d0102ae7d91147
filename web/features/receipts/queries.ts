// Queries for receipts, through the runtime.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ReceiptOnWire } from '../../../src/contract/receipts.ts';
import { readFault } from '../../api/fault.ts';
import { fetchRuntime, runtime } from '../../api/runtime-client.ts';
import { runOf } from './name-stream.ts';
import { saveFile } from '../../kit/save-file.ts';

const STREAMS = 100;
const RECEIPTS = 50;
const FOUND = 30;

interface ShownHead {
  readonly index: number;
  readonly hash: string;
}

export interface ReceiptPage {
  readonly receipts: readonly ReceiptOnWire[];
  readonly head: ShownHead | null;
}

export const receiptKeys = {
  all: ['receipts'] as const,
  streams: ['receipts', 'streams'] as const,
  found: ['receipts', 'found'] as const,
};

export function streamsQuery(organization: string) {
  return infiniteQueryOptions({
    queryKey: [...receiptKeys.streams, organization],
    async queryFn({ pageParam, signal }) {
      const answer = await runtime.receipts.stream(
        { limit: STREAMS, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        { context: { organization }, signal },
      );
      return 'streams' in answer
        ? { streams: answer.streams, cursor: answer.cursor }
        : { streams: [], cursor: undefined };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.cursor,
  });
}

/** The run whose receipts are in the stream. */
export function runOfStreamQuery(organization: string, stream: string) {
  const id = runOf(stream);
  return queryOptions({
    queryKey: [...receiptKeys.all, 'run', organization, stream],
    queryFn: async ({ signal }) =>
      (await runtime.jobs.get({ id: id ?? '' }, { context: { organization }, signal })).job,
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export interface ReceiptFilter {
  readonly person?: string | undefined;
  readonly app?: string | undefined;
  readonly tool?: string | undefined;
  /** Several are separated by commas. */
  readonly kind?: string | undefined;
  readonly workspace?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Receipts of all streams that the person may see, latest first. */
export function foundReceiptsQuery(organization: string, filter: ReceiptFilter) {
  return infiniteQueryOptions({
    queryKey: [...receiptKeys.found, organization, filter],
    queryFn: ({ pageParam, signal }) =>
      runtime.receipts.search(
        { limit: FOUND, ...defined(filter), ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        { context: { organization }, signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.cursor,
  });
}

type Defined<T> = { -readonly [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** The number of receipts in a stream. */
export function receiptCountQuery(organization: string, stream: string) {
  return queryOptions({
    queryKey: [...receiptKeys.all, 'count', organization, stream],
    async queryFn({ signal }) {
      try {
        const answer = await runtime.receipts.stream(
          { stream, from: 0, limit: 1 },
          { context: { organization }, signal },
        );
        return 'head' in answer && answer.head !== null ? answer.head.index + 1 : 0;
      } catch (error) {
        if (readFault(error).status === 404) return 0;
        throw error;
      }
    },
  });
}

/** Latest first: each page has the receipts before `end`, which is exclusive. */
export function receiptsQuery(organization: string, stream: string, at: number | undefined) {
  return infiniteQueryOptions({
    queryKey: [...receiptKeys.all, 'stream', organization, stream, at ?? 'latest'],
    queryFn: ({ pageParam, signal }) => readBefore(organization, stream, pageParam, signal),
    initialPageParam: at === undefined ? undefined : at + Math.ceil(RECEIPTS / 2),
    getNextPageParam: ({ from }: { from: number }) => (from > 0 ? from : undefined),
    refetchOnWindowFocus: false,
  });
}

async function readBefore(
  organization: string,
  stream: string,
  end: number | undefined,
  signal: AbortSignal,
): Promise<ReceiptPage & { from: number }> {
  const read = async (from: number, limit: number): Promise<ReceiptPage> => {
    const answer = await runtime.receipts.stream({ stream, from, limit }, { context: { organization }, signal });
    return 'receipts' in answer ? answer : { receipts: [], head: null };
  };
  const until = end ?? ((await read(0, 1)).head?.index ?? -1) + 1;
  const from = Math.max(0, until - RECEIPTS);
  const { receipts, head } = await read(from, RECEIPTS);
  // Receipts appended in the meantime belong to the first page; a gap makes a later page start too early.
  return { receipts: receipts.filter(({ index }) => end === undefined || index < end).toReversed(), head, from };
}

export function fetchExport(organization: string, stream: string): Promise<Response> {
  return fetchRuntime(organization, `/service/export?stream=${encodeURIComponent(stream)}`);
}

export async function downloadExport(organization: string, stream: string): Promise<void> {
  const response = await fetchExport(organization, stream);
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'receipts.jsonl';
  await saveFile(response, name);
}
