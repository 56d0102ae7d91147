// The install guide for a cluster, word for word, with kubectl and without a cluster: objects are made by kubectl itself
// (--dry-run=client), kustomize builds what would be applied, and each pod finds what it reads in the secrets.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEPLOY, readManifests } from '../../scripts/read-deploy-files.ts';
import { findProgram } from '../../scripts/test-programs.ts';
import { readGuides, runBlock } from '../support/stack/guides.ts';
import { needs } from '../support/needs.ts';
import { SERVICECTL } from '../support/cli/servicectl.ts';

/** There is no server to ask: what kubectl would send is kept in files, and what it would show is empty. */
const KUBECTL = `#!/bin/bash
set -euo pipefail
echo "$*" >> "$SEEN/calls"
case " $* " in
  *" create secret "*) exec "$REAL" "$@" --dry-run=client --output=yaml > "$SEEN/$6.yaml" ;;
  *" apply --kustomize "*) exec "$REAL" kustomize "\${@: -1}" > "$SEEN/applied.yaml" ;;
  *" apply -f "*) test -s "\${@: -1}" ;;
esac
`;

describe('the install guide for a cluster', needs('kubectl', 'openssl', 'bash'), () => {
  const blocks = readGuides('kubernetes');
  let directory: string;
  let environment: Record<string, string>;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'service-kubernetes-'));
    mkdirSync(join(directory, 'bin'));
    symlinkSync(DEPLOY, join(directory, 'deploy'));
    writeFileSync(join(directory, 'bin', 'kubectl'), KUBECTL);
    chmodSync(join(directory, 'bin', 'kubectl'), 0o755);
    execFileSync(process.execPath, [SERVICECTL, 'bundle', 'init', 'production.env'], {
      cwd: directory,
      stdio: 'ignore',
    });
    const more = [
      'SERVICE_PUBLIC_URL=https://agents.example.org',
      ...[
        'SERVICE_BROKER_TOKEN',
        'SERVICE_SANDBOX_TOKEN',
        'POSTGRES_PASSWORD',
        'SERVICE_DATABASE_PASSWORD',
        'NANGO_DATABASE_PASSWORD',
        'NANGO_READER_PASSWORD',
      ].map((name) => `${name}=secret-of-${name.toLowerCase()}`),
    ];
    writeFileSync(
      join(directory, 'production.env'),
      `${readFileSync(join(directory, 'production.env'), 'utf8')}${more.join('\n')}\n`,
    );
    environment = {
      PATH: `${join(directory, 'bin')}:/usr/bin:/bin`,
      HOME: directory,
      SEEN: directory,
      REAL: findProgram('kubectl') ?? '',
      DATABASE_HOST: 'db.example.org:5432',
    };
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  async function follow(name: string): Promise<void> {
    const block = blocks.find((one) => one.name === name);
    if (!block) throw new Error(`install.md has no block ${name}`);
    const { code, stdout, stderr } = await runBlock(block, { cwd: directory, environment });
    expect([code, code === 0 ? '' : stdout + stderr], name).toEqual([0, '']);
  }

  const dataOf = (secret: string): Record<string, string> =>
    (parse(readFileSync(join(directory, `${secret}.yaml`), 'utf8')) as { data: Record<string, string> }).data;
  const keysOf = (secret: string): string[] => Object.keys(dataOf(secret)).toSorted();
  const valueOf = (secret: string, key: string): string =>
    Buffer.from(dataOf(secret)[key] ?? '', 'base64').toString('utf8');
  const read = (secret: string): { key: string; optional?: boolean }[] => {
    const containers = readManifests().flatMap(({ kind, spec }) =>
      kind === 'Deployment' ? (spec?.template?.spec.containers ?? []) : [],
    );
    return containers.flatMap(({ env = [] }) =>
      env.flatMap(({ valueFrom }) => (valueFrom?.secretKeyRef?.name === secret ? [valueFrom.secretKeyRef] : [])),
    );
  };

  it('makes each secret of what its pods read, all of it and nothing else', async () => {
    await follow('secrets');
    for (const secret of ['service-secrets', 'nango-secrets', 'sandbox-secrets']) {
      const asked = new Set(read(secret).map(({ key }) => key));
      expect(
        keysOf(secret).filter((key) => !asked.has(key)),
        secret,
      ).toEqual([]);
      expect(
        read(secret).filter(({ key, optional }) => optional !== true && !keysOf(secret).includes(key)),
        secret,
      ).toEqual([]);
    }
    expect(keysOf('nango-secrets')).toEqual([
      'NANGO_DASHBOARD_PASSWORD',
      'NANGO_DASHBOARD_USERNAME',
      'NANGO_DATABASE_URL',
      'NANGO_ENCRYPTION_KEY',
      'NANGO_SECRET_KEY_PROD',
    ]);
    // The provider answers only to the key that it was started with.
    expect(valueOf('nango-secrets', 'NANGO_SECRET_KEY_PROD')).toMatch(/^[0-9a-f]{8}-/);
    expect(valueOf('nango-secrets', 'NANGO_SECRET_KEY_PROD')).toBe(
      valueOf('service-secrets', 'SERVICE_INTEGRATIONS_SECRET_KEY'),
    );
  });

  it('applies every manifest as kustomize builds it', async () => {
    await follow('apply');
    const applied = parseAllDocuments(readFileSync(join(directory, 'applied.yaml'), 'utf8')).map(
      (document) => document.toJS() as { kind: string; metadata: { name: string } },
    );
    const named = (ones: readonly { kind: string; metadata: { name: string } }[]): string[] =>
      ones.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted();
    expect(named(applied)).toEqual(named(readManifests().filter(({ kind }) => kind !== 'Kustomization')));
  });

  it('sets up the webhook in the pod of the api role, with the role of the database that may write', async () => {
    await follow('webhook');
    expect(readFileSync(join(directory, 'calls'), 'utf8')).toContain(
      'exec deploy/runtime-api -- env SERVICE_INTEGRATIONS_DATABASE_URL=postgresql://nango:secret-of-nango_database_password@db.example.org:5432/nango node dist/servicectl.js integrations webhook --apply',
    );
    expect(blocks).toHaveLength(3);
  });
});
