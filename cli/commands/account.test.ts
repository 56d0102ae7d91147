import { expect, it } from 'vitest';
import { json } from '../../test/support/cli/canned-service.ts';
import { useCliStand } from '../../test/support/cli/cli-stand.ts';

const stand = useCliStand();

it('shows and changes whether ended runs are mailed', async () => {
  const state = { runs: false };
  stand.serve({
    'GET /api/me/mails': () => json(state),
    'PUT /api/me/mails': ({ body }) => json(Object.assign(state, body)),
  });
  const ask = async (...more: string[]): Promise<string> =>
    (await stand.servicectl(['account', 'run-mails', ...more])).stderr.trim();
  expect(await ask()).toBe('You get no email when a run of yours ends.');
  expect(await ask('on')).toBe('You get an email when a run of yours ends.');
  expect(state).toEqual({ runs: true });
  expect(JSON.parse((await stand.servicectl(['account', 'run-mails', 'off', '--json'])).stdout)).toEqual({
    runs: false,
  });
  expect((await stand.servicectl(['account', 'run-mails', 'maybe'])).code).toBe(2);
});
