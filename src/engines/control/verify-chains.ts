// Verifies every stream from its first receipt to its last. The streams are walked through the primary key; those of runs
// are also compared with the head that their row recorded.
import { runProjection } from '../../audit/find-run-head.ts';
import { listStreams } from '../../receipts/read-stream.ts';
import { type Projection, verifyStream } from '../../receipts/verify-stream.ts';
import type { Queryable } from '../../store/database.ts';
import type { Engine } from '../../runs/delivery/engine.ts';
import type { ControlDeps } from './control-deps.ts';

const HEADS = `
select s.stream, j.id, j.head_idx, j.head_hash from unnest($1::text[]) with ordinality as s (stream, n)
left join :schema.job j on s.stream like 'jobs/%' and j.id = substr(s.stream, 6) order by s.n`;

/** Streams that a run's row, the last append or a checkpoint recorded and that no longer exist. */
const DROPPED = `
select h.stream, max(h.idx) as idx from (
  select 'jobs/' || j.id as stream, j.head_idx as idx from :schema.job j
  union all select n.stream, n.idx from :schema.receipt_noted_heads() n
) h
where not exists (select from :schema.receipt_last(h.stream)) group by h.stream order by h.stream limit 20`;

const PAGE = 500;
const FAULTS_SHOWN = 20;

interface Fault {
  readonly stream: string;
  readonly reason: string;
  readonly index: number;
}

export function verifyChains({ db, log }: ControlDeps): Engine {
  return async ({ signal, progress }) => {
    const faults: Fault[] = [];
    const tally = { streams: 0, receipts: 0 };
    for await (const page of pages(db)) {
      for (const { stream, projection } of page) {
        signal.throwIfAborted();
        const { count, fault } = await verifyStream(db, stream, projection);
        tally.streams++;
        tally.receipts += count;
        if (fault) faults.push({ stream, ...fault });
      }
      if (page.length === PAGE) await progress({ ...tally, faults: faults.length });
    }
    const { rows } = await db.query<{ stream: string; idx: number }>(DROPPED);
    faults.push(...rows.map(({ stream, idx: index }) => ({ stream, reason: 'head_mismatch', index })));
    for (const fault of faults) log.error(fault, 'a receipt chain does not verify');
    return { ...tally, faults: faults.length, first: faults.slice(0, FAULTS_SHOWN).map((fault) => ({ ...fault })) };
  };
}

async function* pages(on: Queryable): AsyncGenerator<{ stream: string; projection: Projection | undefined }[]> {
  for (let after = ''; ;) {
    const { rows } = await on.query<{ stream: string; id: string | null; head_idx: number; head_hash: Buffer }>(HEADS, [
      await listStreams(on, after, PAGE),
    ]);
    yield rows.map(({ stream, id, head_idx: index, head_hash: hash }) => ({
      stream,
      projection: id === null ? undefined : runProjection(on, id, { index, hash }),
    }));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.stream;
  }
}
