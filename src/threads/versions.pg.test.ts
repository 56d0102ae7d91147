import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { addOrganization, addPerson } from '../../test/support/people.ts';
import type { MessageMetadata } from '../contract/threads.ts';
import type { Database } from '../store/database.ts';
import { removeVersion, switchVersion } from './change-versions.ts';
import { appendMessage, listMessages } from './messages.ts';
import { claimStream } from './streams.ts';
import { getThread, insertThread } from './threads.ts';
import { findVersions, setAside } from './versions.ts';

let db: Database;
let userId: string;
let threadId: string;
beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 4 });
});
afterAll(() => db.close());
beforeEach(async () => {
  const person = await addPerson(db);
  const { id: organizationId, defaultId: workspaceId } = await addOrganization(db, person);
  userId = person.id;
  threadId = `thr_${person.id}`;
  await insertThread(db, { id: threadId, organizationId, workspaceId, workspacePicked: false, userId, title: 'x' });
});

const named = (name: string): string => `${threadId}.${name}`;

async function say(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const role = name.startsWith('q') ? ('user' as const) : ('assistant' as const);
    const metadata: MessageMetadata = role === 'user' ? {} : { model: 'm' };
    await appendMessage(db, threadId, { id: named(name), role, parts: [{ type: 'text', text: name }], metadata });
  }
}

const branchAt = (position: number): Promise<void> => db.transaction((tx) => setAside(tx, threadId, position));
const choose = (name: string): Promise<void> => switchVersion(db, { userId, threadId, messageId: named(name) });
const drop = (name: string): Promise<void> =>
  removeVersion({ db, listener: undefined }, { userId, threadId, messageId: named(name) });

/** The shown messages; those with versions as `name 2/3`. */
async function shown(): Promise<string[]> {
  const messages = await listMessages(db, threadId, { limit: 200 });
  const versions = await findVersions(db, threadId, messages);
  expect(messages.map(({ position }) => position)).toEqual(messages.map((_, index) => index));
  expect((await getThread(db, userId, threadId)).messages).toBe(messages.length);
  return messages.map(({ id }) => {
    const found = versions.get(id);
    const name = id.slice(threadId.length + 1);
    return found ? `${name} ${found.index + 1}/${found.count}` : name;
  });
}

async function keptAside(): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from :schema.chat_message_version where thread_id = $1 order by id',
    [threadId],
  );
  return rows.map(({ id }) => id.slice(threadId.length + 1));
}

describe('a conversation', () => {
  it('keeps what an edit replaces and goes back to it, whole', async () => {
    await say('q1', 'a1', 'q2', 'a2');
    await branchAt(2);
    await say('q2b', 'a2b');
    expect(await shown()).toEqual(['q1', 'a1', 'q2b 2/2', 'a2b']);
    await choose('q2');
    expect(await shown()).toEqual(['q1', 'a1', 'q2 1/2', 'a2']);
    await choose('q2b');
    expect(await shown()).toEqual(['q1', 'a1', 'q2b 2/2', 'a2b']);
    expect((await listMessages(db, threadId, { limit: 200 }))[3]).toMatchObject({
      role: 'assistant',
      parts: [{ type: 'text', text: 'a2b' }],
      metadata: { model: 'm' },
    });
  });

  it('returns to where each branch was left, and goes on from there', async () => {
    await say('q1', 'a1');
    await branchAt(1);
    await say('a1b', 'q2', 'a2');
    await branchAt(3);
    await say('a2b');
    await choose('a1');
    expect(await shown()).toEqual(['q1', 'a1 1/2']);
    await say('q3', 'a3');
    await choose('a1b');
    expect(await shown()).toEqual(['q1', 'a1b 2/2', 'q2', 'a2b 2/2']);
    // Straight to a message that is deep in a branch that is not shown.
    await choose('a1');
    await choose('a2');
    expect(await shown()).toEqual(['q1', 'a1b 2/2', 'q2', 'a2 1/2']);
    await choose('q3');
    expect(await shown()).toEqual(['q1', 'a1 1/2', 'q3', 'a3']);
    await choose('q1');
    expect(await shown()).toEqual(['q1', 'a1 1/2', 'q3', 'a3']);
  });

  it('has versions of its first question', async () => {
    await say('q1', 'a1');
    await branchAt(0);
    await say('q1b', 'a1b');
    await branchAt(0);
    await say('q1c');
    await choose('q1b');
    expect(await shown()).toEqual(['q1b 2/3', 'a1b']);
  });

  it('loses a deleted version with all that followed it, and shows its neighbour', async () => {
    await say('q1', 'a1');
    await branchAt(1);
    await say('a1b', 'q2', 'a2');
    await branchAt(3);
    await say('a2b');
    await branchAt(1);
    await say('a1c');
    await drop('a1b');
    expect(await shown()).toEqual(['q1', 'a1c 2/2']);
    expect(await keptAside()).toEqual(['a1']);
    await drop('a1c');
    expect(await shown()).toEqual(['q1', 'a1']);
    await expect(drop('a1c')).rejects.toMatchObject({ code: 'not_found' });
    // The only version: the conversation ends before it.
    await drop('a1');
    expect(await shown()).toEqual(['q1']);
    expect(await keptAside()).toEqual([]);
  });

  it('of another person has no versions to switch or delete', async () => {
    await say('q1', 'a1');
    const stranger = await addPerson(db);
    const chosen = { userId: stranger.id, threadId, messageId: named('a1') };
    await expect(switchVersion(db, chosen)).rejects.toMatchObject({ code: 'not_found' });
    await expect(removeVersion({ db, listener: undefined }, chosen)).rejects.toMatchObject({ code: 'not_found' });
    expect(await shown()).toEqual(['q1', 'a1']);
  });

  it('stays as it is while an answer is being written, and is freed by a writer that is dead', async () => {
    await say('q1', 'a1');
    await branchAt(1);
    await db.transaction((tx) => claimStream(tx, threadId));
    await expect(choose('a1')).rejects.toMatchObject({ code: 'thread_busy' });
    await expect(drop('a1')).rejects.toMatchObject({ code: 'thread_busy' });
    await db.query("update :schema.chat_stream set alive_at = now() - interval '31 seconds' where thread_id = $1", [
      threadId,
    ]);
    await choose('a1');
    expect(await shown()).toEqual(['q1', 'a1 1/2']);
  });

  it('is still whole when several switch and delete at once', async () => {
    await say('q1', 'a1');
    for (const name of ['b', 'c', 'd', 'e']) {
      await branchAt(1);
      await say(`a${name}`, `q${name}`);
    }
    await Promise.allSettled(
      ['a1', 'ab', 'ac', 'ad'].flatMap((name) => [choose(name), choose(name)]).concat(drop('ac')),
    );
    const now = await shown();
    expect(now[1]).toMatch(/^a[1bd] \d\/4$/);
    expect((await keptAside()).concat(now.map((each) => each.split(' ')[0] ?? '')).toSorted()).toEqual(
      ['q1', 'a1', 'ab', 'qb', 'ad', 'qd', 'ae', 'qe'].toSorted(),
    );
  });

  it('is read and written as before by a build that knows no versions', async () => {
    await say('q1', 'a1', 'q2', 'a2');
    await branchAt(3);
    await say('a2b');
    // Its edit: everything from a message on is deleted, then it goes on.
    await db.query('delete from :schema.chat_message where thread_id = $1 and position >= 2', [threadId]);
    await db.query('update :schema.chat_thread set messages = 2 where id = $1', [threadId]);
    await say('q2old', 'a2old');
    expect(await shown()).toEqual(['q1', 'a1', 'q2old', 'a2old']);
    // What followed a deleted message can no longer be shown.
    await expect(choose('a2')).rejects.toMatchObject({ code: 'not_found' });
    expect(await shown()).toEqual(['q1', 'a1', 'q2old', 'a2old']);
  });
});

describe('any sequence of edits, retries, switches and deletions', () => {
  interface Node {
    readonly name: string;
    readonly parent: string | undefined;
    readonly order: number;
    last: string | undefined;
  }

  /** The same tree in memory: the path follows the child that was shown last. */
  function createModel() {
    const nodes = new Map<string, Node>();
    let root: string | undefined;
    let order = 0;
    const childrenOf = (parent: string | undefined): Node[] =>
      [...nodes.values()].filter((node) => node.parent === parent).toSorted((a, b) => a.order - b.order);
    const select = (name: string): void => {
      const node = nodes.get(name);
      if (!node) return;
      const parent = node.parent === undefined ? undefined : nodes.get(node.parent);
      if (parent) parent.last = name;
      else root = name;
      if (parent) select(parent.name);
    };
    const path = (): Node[] => {
      const found: Node[] = [];
      for (let at = root; at !== undefined; at = found.at(-1)?.last) {
        const node = nodes.get(at);
        if (!node) break;
        found.push(node);
      }
      return found;
    };
    const removeTree = (name: string): void => {
      for (const child of childrenOf(name)) removeTree(child.name);
      nodes.delete(name);
    };
    return {
      path,
      names: () => [...nodes.keys()],
      cut(position: number) {
        const before = path()[position - 1];
        if (before) before.last = undefined;
        else root = undefined;
      },
      add(name: string) {
        nodes.set(name, { name, parent: path().at(-1)?.name, order: order++, last: undefined });
        select(name);
      },
      select,
      remove(name: string) {
        const node = nodes.get(name);
        const wasShown = path().some((each) => each.name === name);
        const siblings = childrenOf(node?.parent).filter((each) => each.name !== name);
        const next = siblings.findLast((each) => each.order < (node?.order ?? 0)) ?? siblings[0];
        if (wasShown) this.cut(path().findIndex((each) => each.name === name));
        if (wasShown && next) select(next.name);
        removeTree(name);
      },
      show: () =>
        path().map(({ name, parent }) => {
          const versions = childrenOf(parent);
          return versions.length > 1
            ? `${name} ${versions.findIndex((each) => each.name === name) + 1}/${versions.length}`
            : name;
        }),
    };
  }

  it.each([1, 2, 3, 4])('leaves what a tree in memory has (seed %i)', async (seed) => {
    const model = createModel();
    let state = seed * 7919;
    const pick = (below: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    for (let step = 0; step < 40; step++) {
      const known = model.names();
      const kind = known.length < 3 ? 0 : pick(5);
      const chosen = known[pick(Math.max(1, known.length))] ?? '';
      if (kind <= 1) {
        const name = `${step % 2 === 0 ? 'q' : 'a'}${step}`;
        model.add(name);
        await say(name);
      } else if (kind === 2) {
        const position = pick(model.path().length + 1);
        model.cut(position);
        await branchAt(position);
        model.add(`q${step}`);
        await say(`q${step}`);
      } else if (kind === 3) {
        model.select(chosen);
        await choose(chosen);
      } else if (step % 3 === 0) {
        model.remove(chosen);
        await drop(chosen);
      }
      expect(await shown()).toEqual(model.show());
    }
  });
});
