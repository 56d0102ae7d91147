// A build that is replaced or removed under processes which load some of their files later.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuildCopy, copyBuild } from '../support/copy-build.ts';
import { openRunStand, type RunStand } from '../support/run-stand.ts';
import { leaveOut } from '../support/needs.ts';
import { sandboxSkipReason } from '../support/sandbox.ts';

const EXIT_PROGRAM_GONE = 75;

describe('a process whose files are gone', leaveOut(sandboxSkipReason), () => {
  let stand: RunStand;
  let build: BuildCopy;
  beforeAll(async () => {
    [stand, build] = await Promise.all([openRunStand(), copyBuild()]);
  });
  afterAll(async () => {
    await stand?.close();
    await build?.remove();
  });

  it('gives its runs back and ends to be started again, if it is a worker', async () => {
    const tenant = await stand.newTenant();
    await stand.worker.stop();
    const worker = await stand.startShipped('worker-chat', {}, build.dist);
    expect(await build.removeFiles('parts', 'open-engines')).not.toEqual([]);
    const ids = await Promise.all(['One', 'Two', 'Three'].map((objective) => tenant.run(objective)));
    await worker.said('a file of this program is gone');
    expect(await worker.stop('SIGCONT')).toBe(EXIT_PROGRAM_GONE);
    stand.models.respondByDefault({ path: '/v1/responses', text: 'Done.' });
    await stand.startShipped('worker-chat');
    for (const id of ids) expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({ status: 'completed', attempt: 1 });
  }, 120_000);

  it('says that the page has to be loaded again and ends, if it is the web server', async () => {
    const web = await stand.startShipped('web', {}, build.dist);
    const [script] = (await (await fetch(`${stand.webUrl}/`)).text()).match(/\/assets\/[^"]+\.js/) ?? expect.unreachable();
    expect(await build.removeFiles('public/assets', '')).not.toEqual([]);
    const answer = await fetch(`${stand.webUrl}${script}`);
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('Reload the page')]);
    expect(await web.stop('SIGCONT')).toBe(EXIT_PROGRAM_GONE);
  }, 60_000);
});
