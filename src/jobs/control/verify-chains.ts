// Every stream from its first receipt to its end, one after the other. The streams are walked through the primary
// key; those of runs are held against the head that their row recorded, too.
import type { Head } from '../../receipts/receipt.ts';
import { verifyStream } from '../../receipts/verify-stream.ts';
import type { Queryable } from '../../store/database.ts';
import type { Engine } from '../engine.ts';
import type { ControlDeps } from './control-deps.ts';

const NEXT = `
with recursive s as (
  (select stream from :schema.receipt where stream > $1 order by stream limit 1)
  union all
  select (select r.stream from :schema.receipt r where r.stream > s.stream order by r.stream limit 1) from s where s.stream is not null
)
select s.stream, j.head_idx, j.head_hash from (select stream from s where stream is not null limit $2) s
left join :schema.job j on s.stream like 'jobs/%' and j.id = substr(s.stream, 6)`;

/** Runs whose receipts are gone altogether have a row and no stream. */
const UNRECORDED = `
select j.id from :schema.job j where j.id > $1
and not exists (select from :schema.receipt r where r.stream = 'jobs/' || j.id and r.idx = 0) order by j.id limit 20`;

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
      for (const { stream, recorded } of page) {
        signal.throwIfAborted();
        const { count, fault } = await verifyStream(db, stream, recorded);
        tally.streams++;
        tally.receipts += count;
        if (fault) faults.push({ stream, ...fault });
      }
      if (page.length === PAGE) await progress({ ...tally, faults: faults.length });
    }
    const { rows } = await db.query<{ id: string }>(UNRECORDED, ['']);
    faults.push(...rows.map(({ id }) => ({ stream: `jobs/${id}`, reason: 'head_mismatch', index: 0 })));
    for (const fault of faults) log.error(fault, 'a receipt chain does not verify');
    return { ...tally, faults: faults.length, first: faults.slice(0, FAULTS_SHOWN).map((fault) => ({ ...fault })) };
  };
}

async function* pages(on: Queryable): AsyncGenerator<{ stream: string; recorded: Head[] }[]> {
  for (let after = ''; ; ) {
    const { rows } = await on.query<{ stream: string; head_idx: number | null; head_hash: Buffer | null }>(NEXT, [after, PAGE]);
    yield rows.map(({ stream, head_idx: index, head_hash: hash }) => ({ stream, recorded: index === null || hash === null ? [] : [{ index, hash }] }));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.stream;
  }
}
