// The program and the system in a `User-Agent`, as far as it says. Browsers name others as well, so the order counts.
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bservicectl\b/, 'servicectl'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b|\bwin32\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b|\bdarwin\b/, 'macOS'],
  [/\bLinux\b|\blinux\b/, 'Linux'],
];

export interface Device {
  readonly program?: string;
  readonly system?: string;
}

export function describeDevice(userAgent: string): Device {
  const find = (table: typeof PROGRAMS): string | undefined => table.find(([said]) => said.test(userAgent))?.[1];
  const [program, system] = [find(PROGRAMS), find(SYSTEMS)];
  return { ...(program === undefined ? {} : { program }), ...(system === undefined ? {} : { system }) };
}
