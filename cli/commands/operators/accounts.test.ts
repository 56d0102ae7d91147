import { describe, expect, it } from 'vitest';
import { json } from '../../../test/support/cli/canned-service.ts';
import { useCliStand } from '../../../test/support/cli/cli-stand.ts';

const stand = useCliStand();
const environment = { SERVICE_DEBUG_TOKEN: 'debug' };
const jo = {
  id: 'usr_1',
  name: 'Jo',
  email: 'jo@acme.example',
  state: 'open',
  createdAt: '2026-01-01T00:00:00.000Z',
  organizations: [{ slug: 'acme', role: 'owner' }],
};
const joanna = { ...jo, id: 'usr_2', name: 'Joanna', email: 'jo@acme.example.test', organizations: [] };
const acme = {
  id: 'org_1',
  slug: 'acme',
  name: 'Acme',
  plan: 'team',
  state: 'deleted',
  createdAt: jo.createdAt,
  members: 2,
};
const asked = (): string[] => stand.requests().map(({ method, path }) => `${method} ${path}`);

describe('people and organizations of the deployment', () => {
  it('are listed page by page', async () => {
    stand.serve({
      'GET /service-debug/people': ({ query }) =>
        json(query['cursor'] === undefined ? { people: [jo], cursor: 'next' } : { people: [joanna] }),
    });
    expect(await stand.servicectl(['admin', 'people', 'list', '--query', 'jo'], { environment })).toEqual({
      code: 0,
      stdout: 'usr_1\tJo\tjo@acme.example\topen\tacme (owner)\nusr_2\tJoanna\tjo@acme.example.test\topen\t\n',
      stderr: '',
    });
    expect(stand.requests().map(({ query }) => query)).toEqual([{ query: 'jo' }, { query: 'jo', cursor: 'next' }]);
    expect(stand.requests()[0]?.bearer).toBe('debug');
  });

  it.each([
    ['disable', 'POST', '/service-debug/people/usr_1/disable', 'is disabled'],
    ['enable', 'POST', '/service-debug/people/usr_1/enable', 'is enabled'],
    ['end-sessions', 'POST', '/service-debug/people/usr_1/end-sessions', 'is signed out everywhere'],
    ['remove-codes', 'POST', '/service-debug/people/usr_1/remove-codes', 'signs in without a code'],
    ['delete', 'DELETE', '/service-debug/people/usr_1', 'is shut and will be erased'],
  ])('%s one that is named whole', async (act, method, path, done) => {
    stand.serve({
      'GET /service-debug/people': { people: [jo, joanna] },
      [`${method} ${path}`]: { ok: true },
    });
    const yes = ['disable', 'remove-codes', 'delete'].includes(act) ? ['--yes'] : [];
    expect(await stand.servicectl(['admin', 'people', act, 'Jo@acme.example', ...yes], { environment })).toEqual({
      code: 0,
      stdout: '',
      stderr: `Jo (jo@acme.example) ${done}.\n`,
    });
    expect(asked()).toEqual(['GET /service-debug/people', `${method} ${path}`]);
  });

  it('are not touched when they only resemble what was named, or when nobody can be asked', async () => {
    stand.serve({ 'GET /service-debug/people': { people: [jo] } });
    expect(await stand.servicectl(['admin', 'people', 'delete', 'jo@acme', '--yes'], { environment })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Similar: jo@acme.example.'),
    });
    expect(await stand.servicectl(['admin', 'people', 'delete', 'jo@acme.example'], { environment })).toMatchObject({
      code: 2,
    });
    expect(asked()).toEqual(['GET /service-debug/people', 'GET /service-debug/people']);
  });

  it('are brought back, shown, and let in again', async () => {
    stand.serve({
      'GET /service-debug/organizations': { organizations: [{ ...acme, erasedAt: '2026-01-08T00:00:00.000Z' }] },
      'POST /service-debug/organizations/org_1/restore': { ok: true },
      'GET /service-debug/people': { people: [jo] },
      'POST /service-debug/people/usr_1/reset-password': { link: 'https://service.example/x', expiresAt: jo.createdAt },
    });
    expect(await stand.servicectl(['admin', 'organizations', 'show', 'acme'], { environment })).toMatchObject({
      code: 0,
      stdout: `org_1\tAcme\tacme\tdeleted\tteam\t2\t${jo.createdAt}\t2026-01-08T00:00:00.000Z\n`,
    });
    expect(await stand.servicectl(['admin', 'organizations', 'restore', 'acme'], { environment })).toMatchObject({
      code: 0,
      stderr: 'Acme (acme) is back.\n',
    });
    expect(await stand.servicectl(['admin', 'people', 'reset-password', jo.email], { environment })).toMatchObject({
      code: 0,
      stdout: 'https://service.example/x\n',
    });
  });

  it('have a record of what was done to them', async () => {
    const act = {
      id: 'act_1',
      at: jo.createdAt,
      operator: 'operator',
      act: 'disable',
      kind: 'person',
      subject: 'usr_1',
    };
    stand.serve({ 'GET /service-debug/acts': { acts: [act] } });
    expect(await stand.servicectl(['admin', 'acts'], { environment })).toEqual({
      code: 0,
      stdout: `${jo.createdAt}\toperator\tdisable\tperson\tusr_1\n`,
      stderr: '',
    });
  });
});
