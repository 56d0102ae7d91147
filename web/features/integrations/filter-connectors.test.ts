import { describe, expect, it } from 'vitest';
import type { ListedConnection, ListedConnector } from './queries.ts';
import { filterApps, groupApps, groupByCategory, readShow, toApps } from './filter-connectors.ts';

const connector = (
  id: string,
  name: string,
  category: string,
  more: Partial<ListedConnector> = {},
): ListedConnector => ({
  id,
  name,
  category,
  auth: { mode: 'OAUTH2', provider: id },
  surface: 'typed-proxy',
  tools: [],
  ...more,
});
const connection = (provider: string, name: string, status: ListedConnection['status']): ListedConnection => ({
  id: `con_${provider}_${name}`,
  organization: 'org',
  workspace: 'ws',
  provider,
  name,
  kind: 'integration-reference',
  status,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
});
const apps = toApps(
  [
    connector('github', 'GitHub', 'code'),
    connector('slack', 'Slack', 'communication'),
    connector('gitlab', 'GitLab', 'code', { popular: true, words: ['tickets'] }),
    connector('odd', 'Odd', 'new-kind'),
  ],
  [
    connection('github', 'work', 'valid'),
    connection('github', 'default', 'valid'),
    connection('slack', 'default', 'invalid'),
  ],
);
const found = (filter: {
  search?: string;
  category?: string;
  show?: 'all' | 'connected' | 'attention' | 'free';
}): string[] => filterApps(apps, { search: '', category: '', show: 'all', ...filter }).map((app) => app.connector.id);

describe('the apps of the page', () => {
  it('are found by every word of the search, in their name or category', () => {
    expect(found({ search: ' GIT ' })).toEqual(['github', 'gitlab']);
    expect(found({ search: 'code hub' })).toEqual(['github']);
    expect(found({ search: 'nothing' })).toEqual([]);
    expect(found({ search: 'Tickets' })).toEqual(['gitlab']);
  });

  it('are narrowed by category and by the state of their connections', () => {
    expect(found({ category: 'code', show: 'free' })).toEqual(['gitlab']);
    expect(found({ show: 'connected' })).toEqual(['github', 'slack']);
    expect(found({ show: 'attention' })).toEqual(['slack']);
  });

  it('are sorted by category and name, the connected ones first, and of them those that need attention', () => {
    const named = (groups: ReturnType<typeof groupApps>): unknown[] =>
      groups.map(({ name, apps: inside }) => [name, inside.map((app) => app.connector.name)]);
    expect(named(groupApps(apps, { search: '', category: '' }))).toEqual([
      ['Connected', ['Slack', 'GitHub']],
      ['Popular', ['GitLab']],
      ['New-kind', ['Odd']],
    ]);
    expect(named(groupApps(apps, { search: 'git', category: '' }))[1]).toEqual(['Code', ['GitLab']]);
    expect(named(groupByCategory(apps))).toEqual([
      ['Code', ['GitHub', 'GitLab']],
      ['Communication', ['Slack']],
      ['New-kind', ['Odd']],
    ]);
  });
  it('have their default connection first', () => {
    expect(apps[0]?.connections.map(({ name }) => name)).toEqual(['default', 'work']);
  });

  it('are all shown for unknown filters', () => {
    expect(readShow('attention')).toBe('attention');
    expect(readShow('sideways')).toBe('all');
    expect(readShow(undefined)).toBe('all');
  });
});
