// Filters the apps by the address of the page and groups them by category. Pure.
import { matchesSearch } from '../../../src/contract/connectors/matches-search.ts';
import type { ListedConnection, ListedConnector } from './queries.ts';
import { categoryNames, integrationStrings } from './strings.ts';

export const SHOWS = ['all', 'connected', 'attention', 'free'] as const;
export type Show = (typeof SHOWS)[number];

export interface AppFilter {
  readonly search: string;
  /** Empty for all. */
  readonly category: string;
  readonly show: Show;
}

export interface App {
  readonly connector: ListedConnector;
  /** The default connection first. */
  readonly connections: readonly ListedConnection[];
}

export interface AppGroup {
  readonly category: string;
  readonly name: string;
  readonly apps: readonly App[];
}

const SHOWN = {
  all: () => true,
  connected: ({ connections }) => connections.length > 0,
  attention: ({ connections }) => connections.some(({ status }) => status !== 'valid'),
  free: ({ connections }) => connections.length === 0,
} as const satisfies Record<Show, (app: App) => boolean>;

export function toApps(connectors: readonly ListedConnector[], connections: readonly ListedConnection[]): App[] {
  return connectors.map((connector) => ({
    connector,
    connections: connections
      .filter(({ provider }) => provider === connector.id)
      .sort((a, b) => Number(b.name === 'default') - Number(a.name === 'default')),
  }));
}

export function filterApps(apps: readonly App[], { search, category, show }: AppFilter): App[] {
  return apps.filter((app) => {
    const { connector } = app;
    if (category !== '' && connector.category !== category) return false;
    const named = { ...connector, category: `${connector.category} ${nameCategory(connector.category)}` };
    return SHOWN[show](app) && matchesSearch(named, search);
  });
}

/**
 * The connected apps first, then the popular ones unless something is looked for, then the others by category. Each
 * app appears once.
 */
export function groupApps(apps: readonly App[], { search, category }: Omit<AppFilter, 'show'>): AppGroup[] {
  const isPopular = ({ connector }: App): boolean => search === '' && category === '' && connector.popular === true;
  const free = apps.filter(SHOWN.free);
  const leading: readonly AppGroup[] = [
    {
      category: 'connected',
      name: integrationStrings.connectedApps,
      apps: apps.filter(SHOWN.connected).sort(byNeedThenName),
    },
    { category: 'popular', name: integrationStrings.popularApps, apps: free.filter(isPopular).sort(byName) },
  ];
  return [
    ...leading.filter((group) => group.apps.length > 0),
    ...groupByCategory(free.filter((app) => !isPopular(app))),
  ];
}

export function groupByCategory(apps: readonly App[]): AppGroup[] {
  return [...Map.groupBy(apps, ({ connector }) => connector.category)]
    .map(([category, inside]) => ({ category, name: nameCategory(category), apps: inside.toSorted(byName) }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

const byName = (a: App, b: App): number => a.connector.name.localeCompare(b.connector.name);
const byNeedThenName = (a: App, b: App): number =>
  Number(SHOWN.attention(b)) - Number(SHOWN.attention(a)) || byName(a, b);

function nameCategory(category: string): string {
  return categoryNames[category] ?? category.charAt(0).toUpperCase() + category.slice(1);
}

export function readShow(value: string | undefined): Show {
  return SHOWS.find((show) => show === value) ?? 'all';
}
