// The lowest layer of an image: a Debian from its packages, without an image of somebody else's. mmdebstrap takes what
// it makes from the mirrors alone, and leaves out logs, caches and times of the machine, so that the same packages give
// the same bytes.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const SUITE = 'bookworm';
/** An account without a password, a shell, or anything of its own but the data directory. */
export const USER_NUMBER = 10001;

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
}

export interface DebianBase {
  readonly layer: Buffer;
  readonly packages: readonly DebianPackage[];
}

export interface BaseWanted {
  readonly name: string;
  /** mmdebstrap's: `essential` has no apt, `minbase` has it. */
  readonly variant: 'essential' | 'minbase';
  readonly packages: readonly string[];
}

const HOOKS = [
  `echo 'service:x:${USER_NUMBER}:${USER_NUMBER}::/var/lib/service:/usr/sbin/nologin' >> "$1/etc/passwd"`,
  `echo 'service:x:${USER_NUMBER}:' >> "$1/etc/group"`,
  `install -d -o ${USER_NUMBER} -g ${USER_NUMBER} -m 0700 "$1/var/lib/service"`,
  // What the tools write by themselves, with the time or the contents of this machine.
  'rm -rf "$1"/var/cache/ldconfig/aux-cache "$1"/var/log/* "$1"/var/lib/apt/lists/* "$1"/etc/resolv.conf "$1"/etc/hostname',
  `dpkg-query --admindir "$1/var/lib/dpkg" --show --showformat='\${Package}\\t\${Version}\\t\${Architecture}\\n' > "$PACKAGES_FILE"`,
];

export function makeDebianBase(
  { name, variant, packages }: BaseWanted,
  { scratch, epochSeconds, mirrors }: { scratch: string; epochSeconds: number; mirrors: readonly string[] },
): DebianBase {
  const layer = join(scratch, `${name}.tar`);
  const list = join(scratch, `${name}.packages`);
  const { status, stderr, error } = spawnSync(
    'mmdebstrap',
    [
      '--quiet',
      `--variant=${variant}`,
      `--include=${packages.join(',')}`,
      ...HOOKS.map((hook) => `--customize-hook=${hook}`),
      SUITE,
      layer,
      ...mirrors,
    ],
    { encoding: 'utf8', env: { ...process.env, SOURCE_DATE_EPOCH: String(epochSeconds), PACKAGES_FILE: list } },
  );
  if (status !== 0)
    throw new Error(
      `mmdebstrap cannot make the base of ${name}: ${error?.message ?? stderr.trim().split('\n').slice(-8).join('\n')}`,
    );
  return { layer: readFileSync(layer), packages: readPackages(readFileSync(list, 'utf8')) };
}

function readPackages(list: string): DebianPackage[] {
  return list
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([name = '', version = '', architecture = '']) => ({ name, version, architecture }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
