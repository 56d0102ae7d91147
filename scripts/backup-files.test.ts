// The nightly backup of deploy/backup, held against the command that it runs and the deployment that it runs beside.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { addBackup } from '../cli/commands/operators/backup.ts';
import type { Cli } from '../cli/define-command.ts';
import { buildInfo } from '../src/process/build-info.ts';
import { needs } from '../test/support/needs.ts';
import { kubernetesObject } from '../test/support/release/kubernetes-objects.ts';
import { DEPLOY, readManifests, readUnits } from './read-deploy-files.ts';

const BACKUP = join(DEPLOY, 'backup');
const units = readUnits(BACKUP);
const unit = (file: string): ReadonlyMap<string, readonly string[]> => {
  const found = units.find((one) => one.file === file);
  if (!found) throw new Error(`there is no unit ${file}`);
  return found.settings;
};
const service = unit('service-backup.service');
/** With systemd's own doubled signs as the shell gets them. */
const script = (service.get('ExecStart')?.[0] ?? '').replaceAll('$$', '$').replaceAll('%%', '%');
const objects = parseAllDocuments(readFileSync(join(BACKUP, 'cronjob.yaml'), 'utf8')).map(
  (document) => document.toJS() as { kind: string },
);
const object = (kind: string): unknown => objects.find((one) => one.kind === kind);
interface CronJob {
  readonly metadata: { readonly namespace: string };
  readonly spec: { readonly jobTemplate: { readonly spec: { readonly template: Template } } };
}
interface Template {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly {
      readonly image: string;
      readonly command: readonly string[];
      readonly envFrom: readonly { readonly configMapRef: { readonly name: string } }[];
      readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
    }[];
    readonly volumes: readonly {
      readonly name: string;
      readonly persistentVolumeClaim?: { readonly claimName: string };
    }[];
  };
}
const template = (object('CronJob') as CronJob).spec.jobTemplate.spec.template;
const [container] = template.spec.containers;

/** What stands after `servicectl admin`, as commander knows it. */
function commandsIn(text: string): string[] {
  const admin = new Command('admin');
  addBackup(admin, {} as Cli);
  return [...text.matchAll(/dist\/servicectl\.js admin (\S+) ([^\n;]*)/g)].map(([, name = '', rest = '']) => {
    const command = admin.commands.find((one) => one.name() === name);
    if (!command) throw new Error(`servicectl admin has no ${name}`);
    const known = command.options.map(({ long }) => long);
    expect(rest.match(/--[\w-]+/g)?.filter((flag) => !known.includes(flag)) ?? [], name).toEqual([]);
    expect(command.registeredArguments.length, name).toBe(1);
    return name;
  });
}

describe.each([
  ['the unit', script],
  ['the job', container?.command.at(-1) ?? ''],
])('%s of the nightly backup', (_, text) => {
  it('takes a backup, verifies it, and removes old ones only after that', () => {
    expect(commandsIn(text)).toEqual(['backup', 'verify-backup']);
    expect(text.indexOf('-mtime +14')).toBeGreaterThan(text.indexOf('verify-backup'));
  });

  it('stops at the first command that fails, and keeps the others apart', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'service-nightly-'));
    // The commands around it as they stand, in a place of their own.
    const inside = (/-ec '(.*)'$/s.exec(text)?.[1] ?? text)
      .replaceAll(/\/(?:var\/)?backups(?:\/service)?/g, directory)
      .replaceAll(/(?:node_modules\/node\/bin\/)?node dist\/servicectl\.js admin/g, './servicectl');
    const old = join(directory, '2020-01-01T000000Z');
    const run = async (verify: number): Promise<number | null> => {
      await writeFile(
        join(directory, 'servicectl'),
        `#!/bin/sh\ncase $1 in backup) mkdir -p "${old}" "$2"; touch -d 2020-01-01 "${old}";; *) test -d "$2" && exit ${verify};; esac\n`,
        { mode: 0o755 },
      );
      return spawnSync('/bin/sh', ['-ec', inside], { cwd: directory }).status;
    };
    expect([await run(1), existsSync(old)]).toEqual([1, true]);
    expect([await run(0), existsSync(old)]).toEqual([0, false]);
    await rm(directory, { recursive: true });
  });
});

describe('the unit of the nightly backup', () => {
  it('reads what the parts read, keeps the address of the database, and no other secret', () => {
    const [web] = readUnits().filter(({ file }) => file === 'service-web.service');
    const [broker] = readUnits().filter(({ file }) => file === 'service-broker.service');
    for (const name of ['User', 'WorkingDirectory', 'EnvironmentFile'])
      expect(service.get(name), name).toEqual(web?.settings.get(name));
    expect(service.get('LoadCredential')).toEqual(['SERVICE_UPSTREAM_DB:service.SERVICE_UPSTREAM_DB']);
    const unset = (settings: ReadonlyMap<string, readonly string[]> | undefined): string[] =>
      (settings?.get('UnsetEnvironment')?.[0] ?? '').split(' ');
    const [own, others] = [unset(service), [...unset(web?.settings), ...unset(broker?.settings)]];
    expect(others.filter((name) => !own.includes(name))).toEqual([]);
    expect(own).not.toContain('SERVICE_UPSTREAM_DB');
  });

  it('is started by its timer, which the page installs', () => {
    const timer = unit('service-backup.timer');
    expect([timer.get('WantedBy'), timer.get('Persistent')]).toEqual([['timers.target'], ['true']]);
    const page = readFileSync(join(DEPLOY, '..', 'docs/operators/backup.md'), 'utf8');
    expect(page).toContain('/opt/service/deploy/backup/service-backup.*');
    expect(page).toContain('systemctl enable --now service-backup.timer');
  });

  it('is taken by systemd', needs('systemd-analyze'), async () => {
    const directory = await mkdtemp(join(tmpdir(), 'service-backup-units-'));
    // Only the places differ: neither the account nor /opt/service is on this machine.
    for (const { file } of units)
      await writeFile(
        join(directory, file),
        readFileSync(join(BACKUP, file), 'utf8')
          .replaceAll('=/opt/service', '=/tmp')
          .replaceAll(/^(User|Group)=service$/gm, '$1=root'),
      );
    const { status, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', ...units.map(({ file }) => join(directory, file))],
      { encoding: 'utf8' },
    );
    await rm(directory, { recursive: true, force: true });
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('the job of the nightly backup', () => {
  const deployed = readManifests();
  const named = (kind: string): string[] =>
    deployed.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);

  it('is made of objects that Kubernetes knows, with no field that it would ignore', () => {
    for (const one of objects) expect(kubernetesObject.safeParse(one).error?.issues, one.kind).toBeUndefined();
  });

  it('finds the settings, the secret and the data of the deployment beside it', () => {
    expect((object('CronJob') as CronJob).metadata.namespace).toBe('agent-platform');
    for (const { configMapRef } of container?.envFrom ?? []) expect(named('ConfigMap')).toContain(configMapRef.name);
    const claims = template.spec.volumes.flatMap(({ persistentVolumeClaim: claim }) =>
      claim ? [claim.claimName] : [],
    );
    expect(claims.toSorted()).toEqual(['service-backups', 'service-data']);
    expect(named('PersistentVolumeClaim')).toContain('service-data');
    const mounted = Object.fromEntries(container?.volumeMounts.map((one) => [one.name, one.mountPath]) ?? []);
    expect(mounted).toEqual({ tmp: '/tmp', data: '/var/lib/service', backups: '/backups' });
  });

  it('has an image of this version, and reaches the database like the parts do', () => {
    expect(container?.image).toBe(`agent-platform-backup:${buildInfo().version}`);
    const policy = object('NetworkPolicy') as { spec: { podSelector: { matchLabels: object }; egress: unknown } };
    expect(template.metadata.labels).toMatchObject(policy.spec.podSelector.matchLabels);
    const policies = deployed.filter(({ kind }) => kind === 'NetworkPolicy').map((one) => JSON.stringify(one));
    // Names are resolved by everything in the namespace; the address of the database is written in both.
    expect(policies.some((one) => one.includes(JSON.stringify(policy.spec.egress).slice(1, -1)))).toBe(true);
  });
});
