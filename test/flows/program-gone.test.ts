// What becomes of processes that load some of their files later when another build takes the place of theirs, and when
// theirs is removed.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findReleasesInUse, pruneReleases, switchTo } from '../../scripts/releases.ts';
import { type BuildCopy, copyBuild } from '../support/stack/copy-build.ts';
import type { Program } from '../support/watch-process.ts';
import { openRunStand, type RunStand } from '../support/runs/run-stand.ts';
import { leaveOut } from '../support/needs.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';

const EXIT_PROGRAM_GONE = 75;

describe('a process whose build is replaced', leaveOut(sandboxSkipReason), () => {
  let stand: RunStand;
  let build: BuildCopy;
  let worker: Program;
  beforeAll(async () => {
    [stand, build] = await Promise.all([openRunStand(), copyBuild()]);
  });
  afterAll(async () => {
    await stand?.close();
    await build?.remove();
  });

  it('keeps its files when another release is switched to, which removes none that is in use', async () => {
    const tenant = await stand.newTenant();
    await stand.worker.stop();
    worker = await stand.startShipped('worker-chat', {}, build.dist);
    const others = [await build.addRelease('second'), await build.addRelease('third'), await build.addRelease('zzz')];
    for (const other of others) await switchTo(build.dist, other);
    expect(await pruneReleases(build.releases, await findReleasesInUse(build.releases))).toEqual(['second']);
    stand.models.respondByDefault({ path: '/v1/responses', text: 'Done.' });
    expect(await tenant.until(await tenant.run('Load your engines'), 'completed', 'failed')).toMatchObject({
      status: 'completed',
      attempt: 1,
    });
    expect(await worker.stop()).toBe(0);
    await switchTo(build.dist, join(build.releases, 'first'));
  }, 120_000);

  it('gives its runs back and ends to be started again, if it is a worker', async () => {
    const tenant = await stand.newTenant();
    worker = await stand.startShipped('worker-chat', {}, build.dist);
    expect(await build.removeFiles('parts', 'open-engines')).not.toEqual([]);
    const ids = await Promise.all(['One', 'Two', 'Three'].map((objective) => tenant.run(objective)));
    await worker.said('a file of this program is gone');
    expect(await worker.stop('SIGCONT')).toBe(EXIT_PROGRAM_GONE);
    stand.models.respondByDefault({ path: '/v1/responses', text: 'Done.' });
    await stand.startShipped('worker-chat');
    for (const id of ids)
      expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({ status: 'completed', attempt: 1 });
  }, 120_000);

  it('says that the page has to be loaded again and ends, if it is the web server', async () => {
    const web = await stand.startShipped('web', {}, build.dist);
    const [script] =
      (await (await fetch(`${stand.webUrl}/`)).text()).match(/\/assets\/[^"]+\.js/) ?? expect.unreachable();
    expect(await build.removeFiles('public/assets', '')).not.toEqual([]);
    const answer = await fetch(`${stand.webUrl}${script}`);
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('Reload the page')]);
    expect(await web.stop('SIGCONT')).toBe(EXIT_PROGRAM_GONE);
  }, 60_000);
});
