import type { Catalog } from '../catalog/connector-types.ts';

/** Whether a word is a capability key by its form: a connector of the catalogue, alone or with a connection's name. */
export function isCapabilityKey(catalog: Catalog, word: string): boolean {
  const dot = word.indexOf('.');
  return Object.hasOwn(catalog.byId, dot < 0 ? word : word.slice(0, dot));
}
