// What the deployment files take away from each part, on every row: pods, containers, units.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { leaveOut } from '../test/support/needs.ts';
import { composeServices, DEPLOY, readManifests, readUnits } from './read-deploy-files.ts';

/** The only part whose work is to give rights away. */
const ROOT_PART = 'sandbox';
/** Not ours: its image writes where it likes. */
const FOREIGN_PART = 'nango';

interface Pod {
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly runAsUser?: number;
    readonly seccompProfile?: { readonly type: string };
  };
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly volumes?: readonly { readonly hostPath?: object }[];
}
interface Confined {
  readonly securityContext?: {
    readonly privileged?: boolean;
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  };
}

const pods = readManifests().flatMap(({ kind, metadata, spec }) =>
  kind === 'Deployment' && spec?.template
    ? [{ name: metadata.name, pod: spec.template.spec, containers: spec.template.spec.containers }]
    : [],
);

describe('the pod of', () => {
  it.each(pods.filter(({ name }) => name !== ROOT_PART))('$name has no right that it does not need', (row) => {
    const { securityContext, hostNetwork, hostPID, volumes = [] }: Pod = row.pod;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(securityContext?.runAsUser).toBeGreaterThan(0);
    expect([hostNetwork, hostPID, volumes.filter((one) => one.hostPath !== undefined)]).toEqual([
      undefined,
      undefined,
      [],
    ]);
    for (const container of row.containers) {
      const { securityContext: own } = container as Confined;
      expect(own?.capabilities).toEqual({ drop: ['ALL'] });
      expect([own?.privileged, own?.allowPrivilegeEscalation]).toEqual([undefined, false]);
      expect(own?.readOnlyRootFilesystem === true).toBe(row.name !== FOREIGN_PART);
    }
  });

  it.each(pods)('$name runs an image of one version, within limits', ({ containers }) => {
    for (const { image, resources } of containers) {
      expect(image).toMatch(/:[\w.-]*\d+\.\d+[\w.-]*(?:@sha256:[0-9a-f]{64})?$/);
      expect(Object.keys(resources?.limits ?? {})).toEqual(['cpu', 'memory']);
    }
  });
});

it('no container of compose can gain rights but the one that gives runs theirs', () => {
  const able = Object.entries(composeServices()).filter(([, service]) => {
    const { security_opt: options = [] } = service as { security_opt?: readonly string[] };
    return !options.includes('no-new-privileges:true');
  });
  // PostgreSQL's entry point begins as root, and becomes another user.
  expect(able.map(([name]) => name)).toEqual(['postgres', ROOT_PART]);
});

describe('the units', () => {
  const units = readUnits().filter(({ file }) => file.endsWith('.service'));
  /** Of 10, in tenths, a little above what systemd 252 says: versions judge differently. More needs a reason here. */
  const MOST_EXPOSED = { [`service-${ROOT_PART}.service`]: 65, others: 20 } as const;
  const { stdout = '' } = spawnSync('systemd-analyze', ['security', '--help'], { encoding: 'utf8' });
  const canJudge = /--offline/.test(stdout);

  it.each(units)('$file keeps only capabilities that it uses', ({ file, settings }) => {
    const kept = (settings.get('CapabilityBoundingSet') ?? ['all'])[0]?.split(' ').filter((name) => name !== '') ?? [];
    if (file !== `service-${ROOT_PART}.service`) expect(kept).toEqual([]);
    else
      for (const dangerous of [
        'all',
        'CAP_SYS_MODULE',
        'CAP_SYS_RAWIO',
        'CAP_SYS_BOOT',
        'CAP_SYS_TIME',
        'CAP_MKNOD',
        'CAP_BPF',
      ])
        expect(kept).not.toContain(dangerous);
  });

  it.each(units)(
    '$file is no more exposed than it must be',
    leaveOut(canJudge ? undefined : 'systemd-analyze security --offline is not there'),
    ({ file }) => {
      const threshold = file in MOST_EXPOSED ? MOST_EXPOSED['service-sandbox.service'] : MOST_EXPOSED.others;
      const { status, stdout: judged } = spawnSync(
        'systemd-analyze',
        ['security', '--offline=true', `--threshold=${threshold}`, join(DEPLOY, 'systemd', file)],
        { encoding: 'utf8' },
      );
      expect([status, status === 0 ? '' : judged]).toEqual([0, '']);
    },
  );
});
