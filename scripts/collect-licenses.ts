// The licences of the packages that a bundle contains, which anyone who distributes the bundle has to include.
import { readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';

const PACKAGE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** @param inputs paths of the files in the bundle, absolute or relative to the root */
export function collectLicenses(root: string, inputs: readonly string[]): string {
  const directories = new Set(
    inputs.flatMap((path) => PACKAGE.exec(isAbsolute(path) ? relative(root, path) : path)?.[0] ?? []),
  );
  const parts = [...directories].sort().map((directory) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
      license?: string;
    };
    const file = readdirSync(join(root, directory)).find((one) => /^(?:licen[cs]e|copying)/i.test(one));
    return `${name} ${version} (${license ?? 'see below'})\n\n${file === undefined ? '' : readFileSync(join(root, directory, file), 'utf8').trim()}\n`;
  });
  return parts.join(`\n${'-'.repeat(80)}\n\n`);
}
