// The Codex CLI that this build uses: one version, and the digests of its packages, so that the tested version is installed.
// It is not a dependency, because it is large and only deployments that use it should download it.
export const CODEX_VERSION = '0.166.0';

interface CodexPlatform {
  readonly package: string;
  readonly cpu: string;
  readonly integrity: string;
  readonly target: string;
}

const ENTRY_INTEGRITY =
  'sha512-2Szlp1l1cz5TX1ccpX4Zok3DZrot9xeZe0km+6/1v8JmqxADwyJxKBJah4dBymkwtS25j/u6dipJusTOI97Z8Q==';

/** By Node's name for the processor. Runs are executed on Linux only. */
export const CODEX_PLATFORMS: Readonly<Record<string, CodexPlatform>> = {
  arm64: {
    package: '@openai/codex-linux-arm64',
    cpu: 'arm64',
    integrity: 'sha512-w0ScAsBr9aZKtIFrh6HN6KU2yjKKeSCzYfbb7DB0Ccj4BYPzeZtUeQprbycLCwuX3AFQdbdjapmLho2iot74jQ==',
    target: 'aarch64-unknown-linux-musl',
  },
  x64: {
    package: '@openai/codex-linux-x64',
    cpu: 'x64',
    integrity: 'sha512-CxDm3+D1cpbGJeHrdzINoG+3wn9BVncP4qpZaaNYkxe8iPtRJOYyCJnnPoVjWRIBvI9vPKbRoifsMSA5xDaUpw==',
    target: 'x86_64-unknown-linux-musl',
  },
};

/** Below the tools directory. */
export const CODEX_DIRECTORY = `codex-${CODEX_VERSION}`;

/** The platform package's files, relative to the installation directory. */
export function vendorPath({ package: name, target }: CodexPlatform): string {
  return `node_modules/${name}/vendor/${target}`;
}

/** For npm ci, which refuses a package with a different digest. */
export function codexManifests(platform: CodexPlatform): {
  readonly 'package.json': string;
  readonly 'package-lock.json': string;
} {
  const root = {
    name: 'codex-for-runs',
    version: CODEX_VERSION,
    private: true,
    dependencies: { '@openai/codex': CODEX_VERSION },
  };
  const alias = `npm:@openai/codex@${CODEX_VERSION}-linux-${platform.cpu}`;
  const lock = {
    name: root.name,
    version: CODEX_VERSION,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': root,
      'node_modules/@openai/codex': {
        version: CODEX_VERSION,
        integrity: ENTRY_INTEGRITY,
        license: 'Apache-2.0',
        optionalDependencies: { [platform.package]: alias },
      },
      [`node_modules/${platform.package}`]: {
        name: '@openai/codex',
        version: `${CODEX_VERSION}-linux-${platform.cpu}`,
        integrity: platform.integrity,
        cpu: [platform.cpu],
        os: ['linux'],
        license: 'Apache-2.0',
        optional: true,
      },
    },
  };
  return { 'package.json': JSON.stringify(root, null, 2), 'package-lock.json': JSON.stringify(lock, null, 2) };
}
