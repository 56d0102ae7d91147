// What was last checked out of a repository, as one pack: the next run of the same connection fetches only what is new since.
// git derives the names of what is in a pack from the content, so a pack may be useless but not wrong; and which commit is
// checked out is for the host to say, each time, to the credential of that moment.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseFileStorage, setFileStorage } from '../../enforcement/storage.ts';
import type { Queryable } from '../../store/database.ts';

export interface KeptPack {
  readonly commit: string;
  readonly bytes: Buffer;
  /** Whether it is old enough to be replaced by one of another commit. */
  readonly isOld: boolean;
}

export interface KeptCheckout {
  read(): Promise<KeptPack | undefined>;
  /** Keeps nothing if the organization has no room for it. */
  replace(commit: string, pack: Buffer): Promise<void>;
}

export interface KeptCheckouts {
  readonly db: Queryable;
  readonly directory: string;
  /** What an organization may keep. */
  readonly storageBytes: number;
}

interface CheckoutPlace {
  readonly organizationId: string;
  readonly connection: string;
  readonly repository: string;
}

/** Packing a large repository again for each new commit would cost more than fetching the difference. */
const OLD_AFTER_MS = 60 * 60_000;
const UNUSED_DAYS = 14;
const ID = /^(con_\w+)\.[0-9a-f]{32}$/;
const PACK = /^([0-9a-f]{40}|[0-9a-f]{64})\.pack$/;

export function openKeptCheckout({ db, directory, storageBytes }: KeptCheckouts, place: CheckoutPlace): KeptCheckout {
  const { organizationId, connection, repository } = place;
  const id = `${connection}.${createHash('sha256').update(repository).digest('hex').slice(0, 32)}`;
  const own = join(directory, id);
  return {
    async read() {
      const [name] = (await namesIn(own)).filter((each) => PACK.test(each));
      if (name === undefined) return undefined;
      const { mtime } = await stat(join(own, name));
      const bytes = await readFile(join(own, name));
      await utimes(join(own, name), new Date(), mtime);
      return { commit: name.replace('.pack', ''), bytes, isOld: Date.now() - mtime.getTime() > OLD_AFTER_MS };
    },
    async replace(commit, pack) {
      const name = `${commit}.pack`;
      if (!(await setFileStorage(db, { id, organizationId }, pack.length, storageBytes)))
        return rm(own, { recursive: true, force: true });
      try {
        await mkdir(own, { recursive: true, mode: 0o700 });
        const written = join(own, randomUUID());
        await writeFile(written, pack, { mode: 0o600 });
        await rename(written, join(own, name));
        const others = (await namesIn(own)).filter((each) => PACK.test(each) && each !== name);
        for (const each of others) await rm(join(own, each), { force: true });
      } catch (error) {
        await remove(db, directory, id);
        throw error;
      }
    },
  };
}

/** Those that no run has used for long, and those of connections that are gone. Returns how many there were. */
export async function removeUnusedCheckouts(db: Queryable, directory: string): Promise<number> {
  const found = (await namesIn(directory)).flatMap((id) => {
    const connection = ID.exec(id)?.[1];
    return connection === undefined ? [] : [{ id, connection }];
  });
  const { rows } = await db.query<{ id: string }>(
    'select id from :schema.org_connection_secret where id = any($1::text[])',
    [found.map(({ connection }) => connection)],
  );
  const connected = new Set(rows.map(({ id }) => id));
  let removed = 0;
  for (const { id, connection } of found) {
    if (connected.has(connection) && Date.now() - (await lastUse(join(directory, id))) < UNUSED_DAYS * 86_400_000)
      continue;
    await remove(db, directory, id);
    removed++;
  }
  return removed;
}

async function remove(db: Queryable, directory: string, id: string): Promise<void> {
  await releaseFileStorage(db, id);
  await rm(join(directory, id), { recursive: true, force: true });
}

async function lastUse(directory: string): Promise<number> {
  const names = (await namesIn(directory)).map((name) => join(directory, name));
  const found = await Promise.all(names.map((path) => stat(path).catch(() => undefined)));
  return Math.max(0, ...found.map((each) => each?.atimeMs ?? 0));
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
