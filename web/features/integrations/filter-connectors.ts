// Filters the apps by the address of the page and groups them by category. Pure.
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
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return apps.filter((app) => {
    const { connector } = app;
    if (category !== '' && connector.category !== category) return false;
    const text =
      `${connector.name} ${connector.id} ${nameCategory(connector.category)} ${connector.purpose ?? ''}`.toLowerCase();
    return SHOWN[show](app) && words.every((word) => text.includes(word));
  });
}

/** The connected apps first, then the others by category. */
export function groupApps(apps: readonly App[]): AppGroup[] {
  const connected = apps.filter(SHOWN.connected);
  return [
    ...(connected.length === 0
      ? []
      : [{ category: 'connected', name: integrationStrings.connectedApps, apps: connected.toSorted(byNeedThenName) }]),
    ...groupByCategory(apps.filter(SHOWN.free)),
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
