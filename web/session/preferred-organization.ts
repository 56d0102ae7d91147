// The organization of a new tab without one in its address: the last one used in this browser.

const KEY = 'last-organization';

export function preferredOrganization<T extends { readonly id: string }>(organizations: readonly T[]): T | undefined {
  const last = readLast();
  return organizations.find(({ id }) => id === last) ?? organizations[0];
}

export function rememberOrganization({ id }: { readonly id: string }): void {
  try {
    localStorage.setItem(KEY, id);
  } catch {
    // Storage may be off; the choice is a convenience.
  }
}

function readLast(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
