import { expect, it } from 'vitest';
import { json, refuse } from '../../test/support/cli/canned-service.ts';
import { useCliStand } from '../../test/support/cli/cli-stand.ts';

const stand = useCliStand();
const AT = '2026-01-02T03:04:05.000Z';
const PATH = 'GET /api/organizations/org_1/feedback';
const entry = (id: string) => ({
  id,
  rating: 'down',
  reason: 'Too long.',
  model: 'service/auto',
  served: 'a/b',
  workspace: 'ws_1',
  thread: 'thr_1',
  message: 'msg_1',
  member: 'usr_1',
  createdAt: AT,
  updatedAt: AT,
});

it('prints every page, with the filters that were given', async () => {
  stand.serve({
    [PATH]: ({ query }) =>
      json(
        query['cursor']
          ? { feedback: [entry('fbk_2')], total: { up: 0, down: 2 } }
          : { feedback: [entry('fbk_1')], total: { up: 0, down: 2 }, cursor: 'fbk_1' },
      ),
  });
  const { stdout } = await stand.servicectl(['feedback', '--rating', 'down', '--project', 'prj_1']);
  expect(stdout.match(/\tdown\tservice\/auto.*\t-\tusr_1\tToo long\./g)).toHaveLength(2);
  expect(stand.requests()[0]?.query).toMatchObject({ rating: 'down', project: 'prj_1' });
  const exported = await stand.servicectl(['feedback', '--json']);
  expect((JSON.parse(exported.stdout) as { feedback: { id: string }[] }).feedback.map(({ id }) => id)).toEqual([
    'fbk_1',
    'fbk_2',
  ]);
});

it('prints the CSV of the service, file after file under one heading', async () => {
  stand.serve({
    [PATH]: ({ query }) =>
      query['cursor']
        ? { status: 200, type: 'text/csv', content: 'id,rating\r\nfbk_2,up\r\n' }
        : {
            status: 200,
            type: 'text/csv',
            content: 'id,rating\r\nfbk_1,down\r\n',
            headers: { 'x-next-cursor': 'fbk_1' },
          },
  });
  const { stdout } = await stand.servicectl(['feedback', '--csv']);
  expect(stdout.split(/\r?\n/)).toEqual(['id,rating', 'fbk_1,down', 'fbk_2,up', '']);
});

it('says who may read it, and what a rating is', async () => {
  stand.serve({ [PATH]: refuse(403, 'Only organization owners or admins can manage feedback.') });
  expect((await stand.servicectl(['feedback'])).code).not.toBe(0);
  expect(await stand.servicectl(['feedback', '--rating', 'great'])).toMatchObject({ code: 2 });
});
