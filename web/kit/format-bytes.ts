const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** In the largest unit with a value of at least one. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  // 1023.97 KiB would be shown as 1,024 KiB.
  const [amount, unit] =
    Math.round((bytes / 1024 ** step) * 10) >= 10_240 && step < UNITS.length - 1
      ? [1, step + 1]
      : [bytes / 1024 ** step, step];
  return `${number.format(amount)} ${UNITS[unit]}`;
}
