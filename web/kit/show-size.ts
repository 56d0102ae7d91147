const bytes = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const UNITS = ['B', 'kB', 'MB', 'GB'] as const;

export function showSize(size: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(size, 1)) / 3));
  return `${bytes.format(size / 1000 ** power)} ${UNITS[power]}`;
}
