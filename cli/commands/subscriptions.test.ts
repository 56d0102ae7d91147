import { expect, it } from 'vitest';
import { json, refuse } from '../../test/support/cli/canned-service.ts';
import { TOKEN, useCliStand } from '../../test/support/cli/cli-stand.ts';
import { SUBSCRIPTION_EVENTS } from '../../src/contract/subscriptions/subscriptions.ts';
import { EVENTS } from './organization/subscriptions.ts';

const stand = useCliStand();
const AT = '2026-01-02T03:04:05.000Z';
const SUBSCRIPTION = {
  id: 'sub_1',
  url: 'https://hooks.example.test/runs',
  events: ['run.failed'],
  createdBy: 'usr_1',
  createdAt: AT,
  enabled: true,
};
const DELIVERY = {
  id: 'msg_1',
  event: 'run.failed',
  createdAt: AT,
  state: 'given_up',
  tries: 10,
  status: 500,
  body: '{}',
};

it('knows every event of the contract', () => {
  expect([...EVENTS]).toEqual(Object.keys(SUBSCRIPTION_EVENTS));
});

it('lists every page, with what is wrong with each', async () => {
  const pages = [
    {
      subscriptions: [SUBSCRIPTION, { ...SUBSCRIPTION, id: 'sub_2', workspace: 'ws_1', failingSince: AT }],
      cursor: 'sub_2',
    },
    {
      subscriptions: [
        { ...SUBSCRIPTION, id: 'sub_3', enabled: false, disabled: { reason: 'gone', at: AT } },
        { ...SUBSCRIPTION, id: 'sub_4', enabled: false, disabled: { reason: 'by_person', at: AT } },
      ],
    },
  ];
  stand.serve({ 'GET /runtime/subscriptions': () => json(pages.shift()) });
  const { stdout } = await stand.servicectl(['subscriptions', '--workspace', 'lab']);
  const rest = `run.failed\t${SUBSCRIPTION.url}\n`;
  expect(stdout).toBe(
    `sub_1\tenabled\t-\t${rest}sub_2\tfailing since ${AT}\tws_1\t${rest}sub_3\toff (gone)\t-\t${rest}sub_4\toff\t-\t${rest}`,
  );
  expect(stand.requests().map(({ query }) => query)).toEqual([
    { workspace: 'lab' },
    { workspace: 'lab', cursor: 'sub_2' },
  ]);
});

it('creates one and prints its secret, on standard output alone', async () => {
  stand.serve({
    'POST /runtime/subscriptions': () => json({ subscription: SUBSCRIPTION, secret: 'whsec_shown-once' }, 201),
  });
  const made = await stand.servicectl(['subscriptions', 'create', SUBSCRIPTION.url, '--event', 'run.failed']);
  expect(made).toMatchObject({ code: 0, stdout: 'whsec_shown-once\n' });
  expect(made.stderr).not.toContain('whsec_');
  expect(stand.requests()[0]).toMatchObject({ bearer: TOKEN, body: { url: SUBSCRIPTION.url, events: ['run.failed'] } });
  await stand.servicectl(['subscriptions', 'create', SUBSCRIPTION.url]);
  expect(stand.requests()[1]?.body).toEqual({ url: SUBSCRIPTION.url, events: [...EVENTS] });
  expect(await stand.servicectl(['subscriptions', 'create', 'x', '--event', 'rain'])).toMatchObject({ code: 2 });
});

it('shows, changes and removes one', async () => {
  stand.serve({
    'GET /runtime/subscriptions/sub_1': { subscription: SUBSCRIPTION },
    'PATCH /runtime/subscriptions/sub_1': { subscription: SUBSCRIPTION },
    'DELETE /runtime/subscriptions/sub_1': { ok: true },
  });
  expect((await stand.servicectl(['subscriptions', 'show', 'sub_1'])).stdout).toContain('the whole organization');
  const changed = await stand.servicectl([
    'subscriptions',
    'change',
    'sub_1',
    '--enable',
    '--address',
    'https://b.test/',
  ]);
  expect(changed).toMatchObject({ code: 0, stderr: 'Changed sub_1: enabled.\n' });
  expect(stand.requests()[1]?.body).toEqual({ url: 'https://b.test/', enabled: true });
  expect(await stand.servicectl(['subscriptions', 'change', 'sub_1'])).toMatchObject({ code: 2 });
  expect(await stand.servicectl(['subscriptions', 'change', 'sub_1', '--enable', '--disable'])).toMatchObject({
    code: 2,
  });
  expect(await stand.servicectl(['subscriptions', 'remove', 'sub_1'])).toMatchObject({ code: 2 });
  expect(await stand.servicectl(['subscriptions', 'remove', 'sub_1', '--yes'])).toMatchObject({ code: 0 });
});

it('lists deliveries, and sends one again', async () => {
  stand.serve({
    'GET /runtime/subscriptions/sub_1/deliveries': {
      deliveries: [
        { ...DELIVERY, failure: 'the address answered 500' },
        { ...DELIVERY, id: 'msg_0', status: 204, state: 'delivered' },
      ],
      cursor: 'msg_0',
    },
    'POST /runtime/subscriptions/sub_1/deliveries/msg_1/replay': () =>
      json({ delivery: { ...DELIVERY, state: 'waiting', tries: 0 } }, 202),
  });
  expect(await stand.servicectl(['subscriptions', 'deliveries', 'sub_1'])).toMatchObject({
    stdout: `msg_1\trun.failed\tgiven_up\t10\t${AT}\tthe address answered 500\nmsg_0\trun.failed\tdelivered\t10\t${AT}\t204\n`,
    stderr: 'To see more: servicectl subscriptions deliveries sub_1 --cursor msg_0\n',
  });
  expect(await stand.servicectl(['subscriptions', 'deliveries', 'sub_1', '--limit', '0'])).toMatchObject({ code: 2 });
  expect(await stand.servicectl(['subscriptions', 'replay', 'sub_1', 'msg_1'])).toMatchObject({ code: 0 });
  stand.serve({ 'POST /runtime/subscriptions/sub_1/deliveries/msg_1/replay': refuse(409, 'subscription_disabled') });
  expect((await stand.servicectl(['subscriptions', 'replay', 'sub_1', 'msg_1'])).code).not.toBe(0);
});
