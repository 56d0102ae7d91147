// A chain alone does not show that its tail was cut, or that a stream was dropped or rewritten as a whole. A checkpoint
// does: one Merkle root over the recorded heads of all streams, also stored outside the database. A recorded head moves
// forward only while it is in the chain, so a stream that shrank keeps failing verification even after it grows again.
import { canonicalJson } from '../base/canonical-json.ts';
import type { Database, Queryable } from '../store/database.ts';
import { createMerkleRoot, inclusionProof, leafHash } from './merkle.ts';
import type { Head } from './receipt.ts';

export interface Checkpoint {
  readonly id: number;
  readonly at: Date;
  readonly streams: number;
  readonly root: Buffer;
}

// Walks the primary key from stream to stream: the cost grows with the streams, not the receipts.
const RECORD_HEADS = `
with recursive s as (
  (select stream from :schema.receipt order by stream limit 1)
  union all
  select (select r.stream from :schema.receipt r where r.stream > s.stream order by r.stream limit 1) from s where s.stream is not null
)
insert into :schema.receipt_checkpoint_head as known (stream, idx, hash)
select s.stream, h.idx, h.hash from s
cross join lateral (select idx, hash from :schema.receipt r where r.stream = s.stream order by idx desc limit 1) h
where s.stream is not null
on conflict (stream) do update set idx = excluded.idx, hash = excluded.hash
where known.idx < excluded.idx and known.hash = (select r.hash from :schema.receipt r where r.stream = known.stream and r.idx = known.idx)`;

/** Undefined when nothing changed since the last checkpoint, or another process is writing one. */
export function writeCheckpoint(db: Database, at: Date): Promise<Checkpoint | undefined> {
  return db.transaction(async (tx) => {
    const lock = await tx.query<{ mine: boolean }>(
      "select pg_try_advisory_xact_lock(hashtextextended('service-checkpoint/' || $1, 0)) as mine",
      [db.schema],
    );
    if (!lock.rows[0]?.mine) return undefined;
    await tx.query(RECORD_HEADS);
    const merkle = createMerkleRoot();
    let streams = 0;
    for await (const leaf of walkLeaves(tx)) {
      merkle.add(leaf.hash);
      streams++;
    }
    const root = merkle.root();
    const last = await findLastCheckpoint(tx);
    if (streams === 0 || last?.root.equals(root)) return undefined;
    const { rows } = await tx.query<{ id: number }>(
      'insert into :schema.receipt_checkpoint (at, streams, root) values ($1, $2, $3) returning id',
      [at, streams, root],
    );
    return { id: rows[0]?.id ?? 0, at, streams, root };
  });
}

export async function findLastCheckpoint(on: Queryable): Promise<Checkpoint | undefined> {
  const { rows } = await on.query<{ id: number; at: Date; streams: number; root: Buffer }>(
    'select id, at, streams, root from :schema.receipt_checkpoint order by id desc limit 1',
  );
  return rows[0];
}

/** The roots of those of these checkpoints that the database has. */
export async function findCheckpointRoots(on: Queryable, ids: readonly number[]): Promise<Map<number, Buffer>> {
  const { rows } = await on.query<{ id: number; root: Buffer }>(
    'select id, root from :schema.receipt_checkpoint where id = any($1)',
    [ids],
  );
  return new Map(rows.map(({ id, root }) => [id, root]));
}

export interface Inclusion {
  readonly head: Head;
  readonly leaf: number;
  readonly proof: Buffer[];
}

/** Proves that a stream's recorded head is under the last checkpoint's root. */
export async function findInclusion(on: Queryable, stream: string): Promise<Inclusion | undefined> {
  const leaves: Buffer[] = [];
  let found: { leaf: number; head: Head } | undefined;
  for await (const leaf of walkLeaves(on)) {
    if (leaf.stream === stream) found = { leaf: leaves.length, head: leaf.head };
    leaves.push(leaf.hash);
  }
  return found && { ...found, proof: inclusionProof(leaves, found.leaf) };
}

/** The content of a leaf: the canonical JSON of a stream's name and its recorded head. */
export function checkpointLeaf(stream: string, head: Head): string {
  return canonicalJson({ hash: head.hash.toString('hex'), index: head.index, stream });
}

/** The checkpoint as text to keep outside the database. */
export function checkpointNote({ id, at, streams, root }: Checkpoint): string {
  return `receipt-checkpoint/v1\n${id}\n${at.toISOString()}\n${streams}\n${root.toString('hex')}\n`;
}

const PAGE = 5_000;
const LEAVES =
  'select stream, idx, hash from :schema.receipt_checkpoint_head where stream > $1 order by stream limit $2';

async function* walkLeaves(on: Queryable): AsyncGenerator<{ stream: string; head: Head; hash: Buffer }> {
  for (let after = ''; ;) {
    const { rows } = await on.query<{ stream: string; idx: number; hash: Buffer }>(LEAVES, [after, PAGE]);
    for (const row of rows) {
      const head = { index: row.idx, hash: row.hash };
      yield { stream: row.stream, head, hash: leafHash(checkpointLeaf(row.stream, head)) };
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.stream;
  }
}
