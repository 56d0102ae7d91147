// The files of a sandbox, taken out as archives and put into another one, by the controller as it is shipped.
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaveOut } from '../support/needs.ts';
import {
  type ControllerProcess,
  processesOf,
  runIn,
  startController,
  untilProcesses,
  WAYS,
  withSandbox,
} from '../support/sandbox/sandbox.ts';
import { pollUntil } from '../support/poll.ts';

/** Every name with its type, mode, target and content. */
const LOOK = `cd / && find workspace home/agent -printf '%y %m %l %p\\0' | sort -z | tr '\\0' ';'
find workspace home/agent -type f -readable -print0 | sort -z | xargs -0 -r md5sum`;

for (const way of WAYS)
  describe(`snapshots of a sandbox ${way.name}`, leaveOut(way.leftOut), () => {
    let controller: ControllerProcess;
    beforeAll(async () => {
      controller = await startController(way.options);
    });
    afterAll(() => controller?.remove());

    const save = async (id: string, full: boolean): Promise<Buffer> =>
      buffer(await controller.client.saveSnapshot(id, { full }));
    const restore = async (id: string, chain: readonly Buffer[]): Promise<void> => {
      for (const [index, archive] of chain.entries())
        await controller.client.restoreSnapshot(id, Readable.from([archive]), { last: index === chain.length - 1 });
    };
    const look = async (id: string): Promise<string> => (await runIn(controller.client, id, LOOK)).stdout;
    const run = async (id: string, script: string): Promise<string> => {
      const { stdout, stderr, exit } = await runIn(controller.client, id, script);
      expect({ stderr, code: exit.code }).toEqual({ stderr: '', code: 0 });
      return stdout;
    };

    /** Each step is a command of a run, with a snapshot after it. */
    const goesBack = (steps: readonly string[]): Promise<string> =>
      withSandbox(controller.client, {}, async (first) => {
        const chain: Buffer[] = [];
        for (const step of steps) {
          await run(first, step);
          chain.push(await save(first, chain.length === 0));
        }
        return withSandbox(controller.client, {}, async (second) => {
          await restore(second, chain);
          const there = await look(second);
          expect(there).toBe(await look(first));
          return there;
        });
      });

    it.each<[what: string, steps: readonly string[], expected: string]>([
      ['an empty workspace', [':'], 'd 700  workspace'],
      [
        'a new file, a changed and a deleted one',
        ['echo a >a; echo b >b', 'echo c >c; echo 2 >>a; rm b'],
        'workspace/c',
      ],
      ['a change that alters neither size nor time', ['echo a >a; touch -d @5 a', 'echo b >a; touch -d @5 a'], '5'],
      [
        'an executable file, a link and an empty directory',
        ['mkdir -p d/e; printf x >x; chmod 751 x; ln -s /etc/passwd l'],
        'f 751  workspace/x',
      ],
      [
        'the home directory',
        ['echo n >~/.config; mkdir ~/.cache', 'rm ~/.config; echo m >~/.cache/m'],
        'home/agent/.cache/m',
      ],
      ['a renamed directory', ['mkdir -p a/b; echo 1 >a/b/c', 'mv a z', 'mv z/b .; echo 2 >b/d'], 'workspace/b/d'],
      ['two that change places', ['mkdir a b; echo 1 >a/f; echo 2 >b/f', 'mv a t; mv b a; mv t b'], 'workspace/a/f'],
      [
        'a directory that becomes a file, and back',
        ['mkdir -p a/b; echo 1 >b', 'rm -r a; echo 2 >a; rm b; mkdir b', 'rm a; mkdir a; echo 3 >a/x'],
        'workspace/a/x',
      ],
      [
        'names that are hard to write',
        [
          `touch -- $'a\\nb' -rf '"' "it's" ' ' $'\\xff' '*' '\\n'; mkdir -- $'d\\n' --; touch -- --/x`,
          `rm -- $'a\\nb'; echo 1 >$'d\\n'/y`,
        ],
        'workspace/--/x',
      ],
      [
        'a directory without the right to write',
        ['mkdir -p a/b; echo 1 >a/b/c; chmod 555 a a/b', 'chmod 755 a a/b; rm a/b/c; echo 2 >a/b/d; chmod 555 a a/b'],
        'd 555  workspace/a/b',
      ],
      ['a hard link and a pipe', ['echo 1 >a; ln a b; mkfifo p', 'echo 2 >>b'], 'p 644  workspace/p'],
      ['a file with holes', ['truncate -s 800M big; echo end >>big'], 'workspace/big'],
      [
        'a list that the run has removed',
        ['echo 1 >a; rm -rf /tmp/.snapshot', 'rm -rf /tmp/.snapshot; echo 2 >b', 'rm a'],
        'workspace/b',
      ],
    ])('keep %s', async (_what, steps, expected) => {
      expect(await goesBack(steps)).toContain(expected);
    });

    it('leave out what the run cannot read itself, and keep the rest', async () => {
      await withSandbox(controller.client, {}, async (first) => {
        await run(first, 'echo 1 >a; echo 2 >b; chmod 0 a; mkdir d; echo 3 >d/c; chmod 0 d');
        const archive = await save(first, true);
        await withSandbox(controller.client, {}, async (second) => {
          await restore(second, [archive]);
          expect(await run(second, 'cat b; ls -A')).toBe('2\nb\n');
        });
      });
    });

    it('go on over a chain that was restored, with nothing but what changes', async () => {
      await withSandbox(controller.client, {}, async (first) => {
        await run(first, 'head -c 3000000 /dev/urandom >big; mkdir d; echo 1 >d/a');
        const chain = [await save(first, true)];
        await run(first, 'echo 2 >d/b');
        chain.push(await save(first, false));
        await withSandbox(controller.client, {}, async (second) => {
          await restore(second, chain);
          await run(second, 'rm d/a; mv d e; echo 3 >e/c');
          chain.push(await save(second, false));
          expect(chain.map(({ length }) => length > 1_000_000)).toEqual([true, false, false]);
          await withSandbox(controller.client, {}, async (third) => {
            await restore(third, chain);
            expect(await look(third)).toBe(await look(second));
          });
        });
      });
    });

    it('break off when the archiver fails', async () => {
      await withSandbox(controller.client, {}, async (id) => {
        await run(id, 'echo 1 >a');
        await save(id, true);
        await run(id, 'echo nonsense >/tmp/.snapshot/list');
        await expect(save(id, false)).rejects.toMatchObject({ code: 'internal' });
        expect((await save(id, true)).length).toBeGreaterThan(0);
        await expect(restore(id, [Buffer.alloc(20_000, 'x')])).rejects.toMatchObject({ code: 'internal' });
        expect(await run(id, 'cat a; head -c 50000000 /dev/zero | tr "\\0" x >big')).toBe('1\n');
        const archive = await controller.client.saveSnapshot(id, { full: true });
        await controller.client.kill(id);
        await expect(buffer(archive)).rejects.toThrow('aborted');
        expect(await run(id, 'cat a')).toBe('1\n');
      });
    });

    it('write nothing outside of the sandbox, whatever an archive says', async () => {
      const directory = await mkdtemp(join(tmpdir(), 'service-planted-'));
      await chmod(directory, 0o777);
      const planted = join(directory, 'planted');
      await writeFile(planted, 'of the machine', { mode: 0o666 });
      await writeFile(join(directory, 'member'), 'of the run');
      // Members that are called as the planted file, absolutely and upwards, and one behind a link that leads there.
      const hostile = `cd "$1" && ln -s "$1" link && tar -cPf a.tar --transform "s|^member|$1/planted|" member &&
tar -rPf a.tar --transform "s|^member|../../../../../..$1/planted|" member && tar -rPf a.tar --transform 's|^link|workspace/out|' link &&
tar -rPf a.tar --transform 's|^member|workspace/out/planted|' member && cat a.tar`;
      const archive = execFileSync('/bin/sh', ['-c', hostile, 'make', directory]);
      expect(archive.toString('latin1')).toContain(`../..${planted}\0`);
      await withSandbox(controller.client, {}, async (id) => {
        await restore(id, [archive]).catch(() => {});
        expect(await readFile(planted, 'utf8')).toBe('of the machine');
        expect((await readdir(directory)).toSorted()).toEqual(['a.tar', 'link', 'member', 'planted']);
      });
      await rm(directory, { recursive: true });
    });

    it('end with the caller', async () => {
      await withSandbox(controller.client, {}, async (id) => {
        await run(id, 'head -c 200000000 /dev/zero >big');
        const leaving = new AbortController();
        const archive = await controller.client.saveSnapshot(id, { full: true }, leaving.signal);
        archive.on('error', () => {});
        // Nobody reads, so the archiver cannot go on.
        await untilProcesses(controller, 1);
        leaving.abort();
        expect(
          await pollUntil(
            () => processesOf(controller).length,
            (count) => count === 0,
          ),
        ).toBe(0);
        expect(await run(id, 'ls')).toBe('big\n');
      });
    });

    it('are refused for a sandbox that is not there', async () => {
      await expect(save('sbx_none', true)).rejects.toMatchObject({ code: 'sandbox_not_found' });
      await expect(restore('sbx_none', [Buffer.alloc(10)])).rejects.toMatchObject({ code: 'sandbox_not_found' });
    });
  });
