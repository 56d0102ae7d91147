import { describe, expect, it } from 'vitest';
import type { ListedConnection } from './queries.ts';
import { explainStatus, findAt, isAuthorized, isShared, mayReconnect } from './connection-state.ts';

const connection = (change: Partial<ListedConnection> = {}): ListedConnection => ({
  id: 'con_1',
  organization: 'org',
  workspace: 'ws',
  provider: 'github',
  name: 'default',
  kind: 'integration-reference',
  status: 'valid',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...change,
});

describe('the state of a connection', () => {
  it('is explained unless it is valid', () => {
    expect(explainStatus(connection())).toBeUndefined();
    expect(explainStatus(connection({ status: 'invalid', reason: 'provider_refresh_exhausted' }))).toBe(
      'The integration provider stopped renewing the authorization after repeated failures. Reconnect the app.',
    );
    expect(explainStatus(connection({ status: 'invalid', reason: 'something_new' }))).toBe(
      'This connection no longer works. Reconnect the app.',
    );
    expect(explainStatus(connection({ status: 'expired', kind: 'cloud-credential-process' }))).toBe(
      'The imported credentials have expired. Import new ones.',
    );
  });

  it('decides who may reconnect it', () => {
    const may = (status: ListedConnection['status']): boolean[] =>
      [false, true].map((canManage) => mayReconnect(connection({ status }), { canManage }));
    expect([may('valid'), may('expired'), may('invalid')]).toEqual([
      [false, true],
      [true, true],
      [true, true],
    ]);
  });

  it('counts as authorized once it exists, is valid and has changed', () => {
    expect(isAuthorized(undefined, undefined)).toBe(false);
    expect(isAuthorized(undefined, connection())).toBe(true);
    expect(isAuthorized(connection(), connection())).toBe(false);
    expect(isAuthorized(connection(), connection({ updatedAt: '2026-01-02T00:00:00.000Z' }))).toBe(true);
    expect(isAuthorized(connection({ status: 'invalid' }), connection())).toBe(true);
    expect(isAuthorized(connection(), connection({ status: 'invalid', updatedAt: '2026-01-02T00:00:00.000Z' }))).toBe(
      false,
    );
    expect(isAuthorized(connection(), connection({ id: 'con_2' }))).toBe(true);
  });

  it('is found by its whole address', () => {
    const all = [connection({ name: 'work' }), connection({ id: 'con_2' })];
    expect(findAt(all, { provider: 'github', name: 'default' })?.id).toBe('con_2');
    expect(findAt(all, { provider: 'gitlab', name: 'default' })).toBeUndefined();
  });
});

describe('a workspace', () => {
  const alone = { members: [{ user: 'me' }], more: false };
  it('is shared unless it is a named one whose only member is known to be the person', () => {
    expect(isShared('named', alone, 'me')).toBe(false);
    expect(isShared('named', undefined, 'me')).toBe(true);
    expect(isShared('named', { ...alone, more: true }, 'me')).toBe(true);
    expect(isShared('named', { members: [{ user: 'me' }, { user: 'other' }], more: false }, 'me')).toBe(true);
    // Default also belongs to people who join the organization later.
    expect(isShared('default', alone, 'me')).toBe(true);
  });
});
