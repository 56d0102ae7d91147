// What an environment may hold. Used by the server, the browser and servicectl, so it is free of schemas.
export const ENVIRONMENT_LIMITS = {
  environments: 20,
  /** Of the script, in bytes. */
  setupBytes: 64 * 1024,
  variables: 100,
  variableChars: 8 * 1024,
  secrets: 50,
  /** Of one secret, in bytes. */
  secretBytes: 8 * 1024,
  /** A shorter one would be struck out of ordinary words, so it is none. */
  secretMinChars: 8,
  hosts: 50,
  minMemoryMib: 64,
  /** What a run has without an environment: one may only take less. */
  maxMemoryMib: 2_048,
  maxMinutes: 30,
} as const;

export const ENVIRONMENT_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** Variables that decide how a sandbox itself works. */
const RESERVED = /^(?:(?:HTTPS?|NO|ALL|FTP)_PROXY|LD_.*|BASH_ENV|ENV|NODE_USE_ENV_PROXY)$/i;

export function isReservedVariable(name: string): boolean {
  return RESERVED.test(name);
}

/** Exact names; a port is for hosts of a private network, where the operator allows them. */
export const HOST_NAME =
  /^(?=.{1,253}(?::|$))[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+(?::\d{1,5})?$/;

/** Stands for all of the hosts below. */
export const PACKAGE_REGISTRIES = 'package-registries';

/** Where package managers get packages from, by default. */
export const PACKAGE_HOSTS = [
  'registry.npmjs.org',
  'registry.yarnpkg.com',
  'npm.jsr.io',
  'pypi.org',
  'files.pythonhosted.org',
  'index.crates.io',
  'static.crates.io',
  'crates.io',
  'static.rust-lang.org',
  'proxy.golang.org',
  'sum.golang.org',
  'rubygems.org',
  'index.rubygems.org',
  'repo.maven.apache.org',
  'repo1.maven.org',
  'plugins.gradle.org',
  'api.nuget.org',
  'repo.packagist.org',
  'hex.pm',
  'repo.hex.pm',
  'deb.debian.org',
  'security.debian.org',
] as const;
