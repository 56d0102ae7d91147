// What the deployment files say, held against the tables of the code: no container engine is needed to know that a
// variable is misspelt, a secret goes where it must not, or a probe asks a port that nobody binds.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/base/config.ts';
import { ENVIRONMENT } from '../src/base/environment.ts';
import { metricsPortOf } from '../src/process/metrics-ports.ts';
import { WORKER_ROLES } from '../src/process/process-roles.ts';
import { buildInfo } from '../src/process/build-info.ts';
import { PARTS, type PartRow } from '../src/stack/parts.ts';
import { PORTS as STACK_PORTS } from '../src/stack/plan-ports.ts';
import { SECRET_READERS } from '../src/stack/secret-readers.ts';
import { readFences } from '../test/support/stack/guides.ts';
import { leaveOut, needs } from '../test/support/needs.ts';
import { NOT_REPRODUCED, REPRODUCED } from '../test/support/stack/start-unit.ts';
import {
  composeServices,
  DEPLOY,
  type DeployedPart,
  interpolate,
  interpolated,
  readCompose,
  readEnvFile,
  readKubernetes,
  readManifests,
  readSystemd,
  readUnits,
} from './read-deploy-files.ts';

const ROOT = join(DEPLOY, '..');
const example = readEnvFile(readFileSync(join(DEPLOY, 'env.example'), 'utf8'));
/** Every line of the example, filled in with something of the right kind. */
const SAMPLES: Readonly<Record<string, string>> = {
  SERVICE_TRUSTED_PROXIES: '10.0.0.0/8',
  SERVICE_OIDC_ALLOWED_DOMAINS: 'example.org',
  SERVICE_OIDC_ONLY: '1',
  SERVICE_OIDC_BREAK_GLASS: 'owner@example.org',
  SERVICE_SMTP_URL: 'smtps://service:a-password@mail.example.org:465',
  SERVICE_MAIL_FROM: 'service@example.org',
};
const KEY = Buffer.alloc(32, 7).toString('base64');
const filled: Record<string, string> = Object.fromEntries(
  Object.entries(example).map(([name, value]) => [
    name,
    /_KEY_B64$|^NANGO_ENCRYPTION_KEY$/.test(name) ? KEY : value === '' || value === 'change-me' ? samples(name) : value,
  ]),
);
function samples(name: string): string {
  if (SAMPLES[name] !== undefined) return SAMPLES[name];
  if (name.endsWith('_URL') || name.endsWith('_ISSUER')) return 'https://api.example.org';
  return `value-of-${name.toLowerCase().replaceAll('_', '-')}`;
}

const DEFAULTS = readConfig({}) as Readonly<Record<string, unknown>>;
const FILES: Record<string, DeployedPart[]> = {
  compose: readCompose(filled),
  systemd: readSystemd(filled),
  kubernetes: readKubernetes({ ...filled, NANGO_DATABASE_URL: 'postgresql://nango:value@db.example.org:5432/nango' }),
};
/** A deployment has its own PostgreSQL, a real integration provider, and real models. */
const NOT_DEPLOYED = ['postgres', 'local-integrations', 'demo-providers', 'local-mailbox'];
const ROWS = Object.entries<PartRow>(PARTS).filter(([name]) => !NOT_DEPLOYED.includes(name));
const OURS = ROWS.map(([name]) => name);
const FOREIGN = { nango: 3003, postgres: 5432 };
/** The controller listens on a socket, unless it is a machine of its own. */
const PORTS: Readonly<Record<string, number>> = {
  sandbox: 4008,
  ...FOREIGN,
  ...Object.fromEntries(
    ROWS.flatMap(([name, { ports }]) => ports.map((port) => [name, DEFAULTS[STACK_PORTS[port].variable]])),
  ),
};
const WORKERS = WORKER_ROLES.map((role) => `runtime-${role}`);
const part = (file: string, name: string): DeployedPart => {
  const found = FILES[file]?.find((one) => one.name === name);
  if (!found) throw new Error(`${file} starts no ${name}`);
  return found;
};
const secretsOf = (name: string): string[] =>
  Object.entries<readonly string[]>(SECRET_READERS)
    .filter(([, readers]) => readers.includes(name))
    .map(([secret]) => secret);
const ENTRANCE = [
  'SERVICE_SIGN_UP',
  'SERVICE_NEW_ORGANIZATIONS',
  'SERVICE_FIRST_PLAN',
  'SERVICE_ORGANIZATIONS_PER_PERSON',
];
/** Beside its secrets. Without these a part ends, or does not do its work. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  web: ['SERVICE_PUBLIC_URL', ...ENTRANCE],
  'runtime-api': ['SERVICE_PUBLIC_URL', 'SERVICE_INTEGRATIONS_URL', 'SERVICE_SANDBOX_URL', ...ENTRANCE],
  gateway: ['SERVICE_PUBLIC_URL', 'SERVICE_INTEGRATIONS_URL', 'SERVICE_INTEGRATIONS_CONNECT_URL'],
};
/** Secrets for a purpose that a deployment need not have. */
const OPTIONAL = ['SERVICE_KV_URL', 'SERVICE_DEBUG_TOKEN', 'SERVICE_DEBUG_JWT_SECRET'];
const neededBy = (name: string): string[] => {
  const secrets = secretsOf(name).filter((secret) => !OPTIONAL.includes(secret));
  return [
    ...secrets,
    ...(secrets.includes('SERVICE_SANDBOX_TOKEN') ? ['SERVICE_SANDBOX_URL'] : []),
    ...(SETTINGS[name] ?? []),
  ];
};

describe.each(Object.keys(FILES))('%s', (file) => {
  it('starts every part and no other, with a program that is built', () => {
    const started = (FILES[file] ?? []).map(({ name }) => name).filter((name) => !(name in FOREIGN));
    expect(started.toSorted()).toEqual(OURS.toSorted());
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const [name, { bundle = '', role }] of ROWS) {
      const { command, environment } = part(file, name);
      expect([command.at(-2)?.endsWith('node'), command.at(-1)], name).toEqual([true, `dist/${bundle}.js`]);
      expect(scripts[bundle], `npm run ${bundle}`).toBeDefined();
      expect(environment['SERVICE_PROCESS_ROLE'], name).toBe(role);
    }
  });

  it.each(OURS)('gives %s what it needs, in words that the service reads', (name) => {
    const { environment } = part(file, name);
    const unknown = Object.keys(environment).filter(
      (variable) => !(variable in ENVIRONMENT) && variable !== 'NODE_ENV',
    );
    expect(unknown).toEqual([]);
    expect(neededBy(name).filter((variable) => (environment[variable] ?? '') === '')).toEqual([]);
    expect(() => readConfig(environment)).not.toThrow();
  });

  it.each(OURS)('gives %s no secret of another part', (name) => {
    const secrets = Object.keys(part(file, name).environment).filter((variable) => variable in SECRET_READERS);
    expect(secrets.filter((secret) => !secretsOf(name).includes(secret))).toEqual([]);
  });

  it('grants every part the time in which answers may finish, and what it needs to stop after that', () => {
    const { default: drainSeconds } = ENVIRONMENT.SERVICE_DRAIN_SECONDS;
    for (const name of OURS) expect(part(file, name).stopSeconds, name).toBeGreaterThanOrEqual(drainSeconds + 15);
  });

  it('hands the database of the integration provider to the api role alone', () => {
    expect(
      (FILES[file] ?? [])
        .filter(({ environment }) => 'SERVICE_INTEGRATIONS_DATABASE_URL' in environment)
        .map(({ name }) => name),
    ).toEqual(['runtime-api']);
  });

  it('lets every part that shares the database find the same schema', () => {
    const sharing = OURS.map((name) => part(file, name)).filter(
      ({ environment }) => 'SERVICE_UPSTREAM_DB' in environment,
    );
    expect(new Set(sharing.map(({ environment }) => environment['SERVICE_DB_SCHEMA']))).toEqual(new Set(['service']));
  });

  it('addresses parts by names and ports that are there', () => {
    for (const { name, environment } of FILES[file] ?? []) {
      for (const [variable, value] of Object.entries(environment)) {
        const url = /_(?:URL|DB)$/.test(variable) && URL.canParse(value) ? new URL(value) : undefined;
        if (!url || url.hostname.includes('example.org') || url.hostname === '127.0.0.1') continue;
        const [host = ''] = url.hostname.split('.');
        const port = Number(url.port);
        expect(PORTS[host] === port || (host === 'nango' && port === 3009), `${name}: ${variable}=${value}`).toBe(true);
      }
    }
  });
});

describe('compose', () => {
  const services = composeServices();
  const text = readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8');

  it('holds no secret, only names of the env file', () => {
    const secrets = Object.entries(services).flatMap(([name, { environment = {} }]) =>
      Object.entries(environment)
        .filter(([variable]) => /SECRET|PASSWORD|TOKEN|_KEY|_DB$|DATABASE_URL/.test(variable))
        .map(([variable, value]) => `${name}: ${variable}=${value}`),
    );
    expect(secrets.length).toBeGreaterThan(40);
    expect(secrets.filter((line) => !/=.*\$\{\w+:[?-]/.test(line))).toEqual([]);
  });

  it('asks for exactly the lines of env.example, and insists on those without which it is not safe', () => {
    const asked = interpolated(text);
    const forSystemd = Object.keys(
      readEnvFile(readFileSync(join(DEPLOY, 'env.example'), 'utf8').split('systemd only')[1] ?? ''),
    );
    expect([...new Set(asked.map(({ name }) => name))].filter((name) => name !== 'NAME').toSorted()).toEqual(
      Object.keys(example)
        .filter((name) => !forSystemd.includes(name))
        .toSorted(),
    );
    for (const { name, required } of asked) if (example[name] === 'change-me') expect(required, name).toBe(true);
    expect(() => interpolate('${AUTH_SECRET:?set it}', {})).toThrow('AUTH_SECRET is required');
  });

  it('lets only the parts that know the address of the sandbox reach it', () => {
    const told = Object.entries(services)
      .filter(([, { environment = {} }]) => 'SERVICE_SANDBOX_URL' in environment)
      .map(([name]) => name);
    expect(told).toContain('runtime-api');
    expect(
      Object.entries(services)
        .filter(([, { networks = [] }]) => networks.includes('sandbox'))
        .map(([name]) => name),
    ).toEqual(told);
  });

  it('replaces the defaults of the integration provider that everybody knows', () => {
    const { environment = {} } = services['nango'] ?? {};
    for (const name of ['NANGO_ENCRYPTION_KEY', 'NANGO_DASHBOARD_USERNAME', 'NANGO_DASHBOARD_PASSWORD'])
      expect(environment[name]).toContain(`\${${name}:?`);
    expect(environment).toMatchObject({
      FLAG_AUTH_ENABLED: 'false',
      NANGO_LOGS_ENABLED: 'false',
      FLAG_SERVE_CONNECT_UI: 'true',
      SERVER_PORT: '3003',
      NANGO_CONNECT_UI_PORT: '3009',
      NANGO_FLAG_PROVIDER: 'env',
      NANGO_FEATURE_FLAG_PROXY_FORWARD_ALL_RESPONSE_HEADERS: 'true',
    });
  });

  it('hands the secret key to the provider under its own name, and has its dashboard call the origin that served it', () => {
    expect(services['nango']?.environment).toMatchObject({
      NANGO_SECRET_KEY_PROD: '${NANGO_SECRET_KEY_PROD:-}',
      NANGO_DASHBOARD_API_URL: '/',
    });
    const manifest = readFileSync(join(DEPLOY, 'kubernetes/nango.yaml'), 'utf8');
    expect(manifest).toContain(
      '{ name: NANGO_SECRET_KEY_PROD, valueFrom: { secretKeyRef: { name: nango-secrets, key: NANGO_SECRET_KEY_PROD, optional: true } } }',
    );
    expect(manifest).toContain('{ name: NANGO_DASHBOARD_API_URL, value: / }');
  });

  it('has the integration provider refuse redirects of an app, and follow those of signing in', () => {
    const { environment = {} } = services['nango'] ?? {};
    expect(JSON.parse(environment['NANGO_OUTBOUND_URL_POLICY'] ?? '')).toEqual({ maxRedirects: 0 });
    expect(JSON.parse(environment['NANGO_OUTBOUND_URL_POLICY_OAUTH'] ?? '')).toEqual({ maxRedirects: 5 });
    const manifest = readFileSync(join(DEPLOY, 'kubernetes/nango.yaml'), 'utf8');
    for (const name of ['NANGO_OUTBOUND_URL_POLICY', 'NANGO_OUTBOUND_URL_POLICY_OAUTH'])
      expect(manifest).toContain(`{ name: ${name}, value: '${environment[name]}' }`);
  });

  it('publishes the gateway alone, on the loopback alone', () => {
    expect(
      Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`)),
    ).toEqual(['gateway 127.0.0.1:4000:4000']);
  });

  it('pins images, limits what each takes, restarts it, and takes rights away', () => {
    for (const [name, service] of Object.entries(services)) {
      expect(service.image, name).toMatch(/:(?:hosted-)?\d+\.\d+/);
      expect(Object.keys(service.deploy?.resources?.limits ?? {}), name).toEqual(['cpus', 'memory']);
      // Docker starts no container that may use more cores than the machine has; the guide asks for two.
      expect(Number(service.deploy?.resources?.limits?.cpus), name).toBeLessThanOrEqual(2);
      expect(service.restart, name).toBe('unless-stopped');
      expect(service.privileged === true, name).toBe(name === 'sandbox');
      if (!['postgres', 'nango', 'sandbox'].includes(name)) expect(service.cap_drop, name).toEqual(['ALL']);
    }
    for (const name of OURS)
      expect(
        [services[name]?.read_only, services[name]?.tmpfs?.some((one) => one.startsWith('/tmp:size='))],
        name,
      ).toEqual([true, true]);
    expect([services['sandbox']?.networks, services['broker']?.networks]).toEqual([['sandbox', 'egress'], ['inner']]);
  });

  it.each(ROWS.filter(([name]) => name in PORTS))('asks %s at its own port how it is', (name, { health }) => {
    expect(services[name]?.healthcheck?.test).toEqual([
      'CMD',
      'node',
      'deploy/healthcheck.mjs',
      health.by === 'tcp' ? `tcp://127.0.0.1:${PORTS[name]}` : `http://127.0.0.1:${PORTS[name]}/healthz`,
    ]);
  });
});

describe('kubernetes', () => {
  const manifests = readManifests();
  const containers = manifests.flatMap(({ kind, spec }) =>
    kind === 'Deployment' ? (spec?.template?.spec.containers ?? []).map((container) => ({ container, spec })) : [],
  );

  it('applies every file, and no file that is not there', () => {
    const [kustomization] = manifests.filter(({ kind }) => kind === 'Kustomization');
    expect([...(kustomization?.resources ?? [])].toSorted()).toEqual(
      readdirSync(join(DEPLOY, 'kubernetes'))
        .filter((file) => file !== 'kustomization.yaml')
        .toSorted(),
    );
  });

  it('pins images, limits and confines what it runs, and mounts no token of the cluster', () => {
    for (const { container, spec } of containers) {
      const { name, image, resources, securityContext, volumeMounts = [] } = container;
      expect(image, name).toMatch(/:(?:hosted-)?\d+\.\d+/);
      expect([Object.keys(resources?.limits ?? {}), Object.keys(resources?.requests ?? {})], name).toEqual([
        ['cpu', 'memory'],
        ['cpu', 'memory'],
      ]);
      expect(spec?.template?.spec.automountServiceAccountToken, name).toBe(false);
      expect(securityContext?.privileged === true, name).toBe(name === 'sandbox');
      if (name !== 'sandbox')
        expect(
          [spec?.template?.spec.securityContext?.runAsNonRoot, securityContext?.allowPrivilegeEscalation],
          name,
        ).toEqual([true, false]);
      // The integration provider's image is not ours, and writes where it likes.
      if (name !== 'nango')
        expect([securityContext?.readOnlyRootFilesystem, volumeMounts.map(({ mountPath }) => mountPath)], name).toEqual(
          [true, expect.arrayContaining(['/tmp', '/var/lib/service'])],
        );
    }
  });

  it('probes every part that binds a port, at that port and at a path that answers', () => {
    for (const { container } of containers) {
      const { name, ports = [], startupProbe, livenessProbe, readinessProbe } = container;
      const bound = ports.map(({ containerPort }) => containerPort);
      if (!(name in PORTS))
        expect([bound, startupProbe, livenessProbe, readinessProbe], name).toEqual([
          [],
          undefined,
          undefined,
          undefined,
        ]);
      else {
        expect(bound, name).toContain(PORTS[name]);
        for (const probe of [startupProbe, livenessProbe, readinessProbe])
          expect(bound, name).toContain(probe?.httpGet?.port ?? probe?.tcpSocket?.port);
        if (name !== 'gateway')
          expect(readinessProbe?.httpGet?.path, name).toBe(name === 'nango' ? '/health' : '/healthz');
      }
    }
  });

  it('gives each port a service, each replicated server a disruption budget, and selects pods that exist', () => {
    const pods = manifests.flatMap(({ kind, spec }) =>
      kind === 'Deployment' && spec?.template ? [spec.template.metadata.labels['app.kubernetes.io/name'] ?? ''] : [],
    );
    const named = (kind: string): string[] =>
      manifests
        .filter((manifest) => manifest.kind === kind)
        .map(({ metadata }) => metadata.name)
        .toSorted();
    const bound = Object.keys(PORTS).filter((name) => name !== 'postgres');
    const replicated = manifests.filter(({ kind, spec }) => kind === 'Deployment' && (spec?.replicas ?? 1) > 1);
    expect(named('Service')).toEqual(bound.toSorted());
    expect(named('PodDisruptionBudget')).toEqual(
      replicated
        .map(({ metadata }) => metadata.name)
        .filter((name) => bound.includes(name))
        .toSorted(),
    );
    for (const name of JSON.stringify(manifests.filter(({ kind }) => kind === 'NetworkPolicy')).matchAll(
      /"app\.kubernetes\.io\/name":"([^"]+)"|"values":\[([^\]]+)\]/g,
    )) {
      for (const pod of (name[1] ?? (name[2] ?? '').replaceAll('"', '')).split(',')) expect(pods).toContain(pod);
    }
    expect(named('NetworkPolicy')).toContain('deny-all');
    // The api asks the controller how it is; the workers run things there.
    const policies = manifests
      .filter(({ kind, metadata }) => kind === 'NetworkPolicy' && ['workers', 'sandbox'].includes(metadata.name))
      .map(({ spec }) => JSON.stringify(spec));
    expect(policies).toHaveLength(2);
    for (const policy of policies) expect(policy).toContain(`"values":${JSON.stringify(['runtime-api', ...WORKERS])}`);
  });
});

describe('systemd', () => {
  it('has a target that wants every unit, and units that belong to it', () => {
    const units = readUnits();
    const target = units.find(({ file }) => file === 'service.target')?.settings;
    const services = units.filter(({ file }) => file.endsWith('.service'));
    expect(target?.get('Wants')?.[0]?.split(' ').toSorted()).toEqual(services.map(({ file }) => file).toSorted());
    for (const { file, settings } of services) {
      const one = (name: string): string | undefined => settings.get(name)?.[0];
      expect([one('PartOf'), one('WantedBy'), one('RestartPreventExitStatus'), one('EnvironmentFile')], file).toEqual([
        'service.target',
        'service.target',
        '78',
        '/etc/service/production.env',
      ]);
      if (file !== 'service-sandbox.service')
        expect(
          [
            one('User'),
            one('NoNewPrivileges'),
            one('ProtectSystem'),
            one('CapabilityBoundingSet'),
            one('SystemCallFilter'),
          ],
          file,
        ).toEqual(['service', 'yes', 'strict', '', '@system-service']);
    }
  });

  it('loads the credentials of the secrets that the part reads, and no other', () => {
    for (const { file, settings } of readUnits().filter((unit) => unit.file.endsWith('.service')))
      expect((settings.get('LoadCredential') ?? []).toSorted(), file).toEqual(
        secretsOf(file.slice('service-'.length, -'.service'.length))
          .map((secret) => `${secret}:service.${secret}`)
          .toSorted(),
      );
  });

  it('sets nothing that the tests neither reproduce nor name a reason for', () => {
    const known = [...REPRODUCED, ...Object.keys(NOT_REPRODUCED)];
    const units = readUnits().filter(({ file }) => file.endsWith('.service'));
    const elsewhere = ['Description', 'Documentation', 'After', 'Wants', 'PartOf', 'StartLimitIntervalSec', 'WantedBy'];
    expect(
      [...new Set(units.flatMap(({ settings }) => [...settings.keys()]))].filter(
        (name) => !known.includes(name) && !elsewhere.includes(name),
      ),
    ).toEqual([]);
  });

  it('is taken by systemd', needs('systemd-analyze'), async () => {
    const directory = await mkdtemp(join(tmpdir(), 'service-units-'));
    // Only the places differ: neither the account nor /opt/service is on this machine.
    for (const { file } of readUnits()) {
      const text = readFileSync(join(DEPLOY, 'systemd', file), 'utf8')
        .replaceAll('/opt/service/node_modules/node/bin/node', process.execPath)
        .replaceAll('=/opt/service', '=/tmp')
        .replaceAll(/^(User|Group)=service$/gm, '$1=root');
      await writeFile(join(directory, file), text);
    }
    const { status, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', ...readUnits().map(({ file }) => join(directory, file))],
      { encoding: 'utf8' },
    );
    await rm(directory, { recursive: true, force: true });
    expect([status, stderr]).toEqual([0, '']);
  });
});

describe('nginx and Prometheus', () => {
  it('ask the gateway, and every part at the port where it has metrics', () => {
    expect(readFileSync(join(DEPLOY, 'nginx/service.conf'), 'utf8')).toContain(
      `proxy_pass http://127.0.0.1:${PORTS['gateway']};`,
    );
    const asked = [
      ...readFileSync(join(DEPLOY, 'monitoring/scrape.yaml'), 'utf8').matchAll(
        /job_name: ([\w-]+), .*"127\.0\.0\.1:(\d+)"/g,
      ),
    ].map(([, job, port]) => [job, Number(port)]);
    expect(asked.toSorted()).toEqual(
      ROWS.map(([name, { role = name }]) => {
        const own = metricsPortOf(role, { SERVICE_METRICS_PORT: 4090 });
        return own === undefined ? [name, PORTS[name]] : [role, own];
      }).toSorted(),
    );
  });
});

describe("the operators' guides", () => {
  const fences = readFences();
  const place = ({ page, line }: { page: string; line: number }): string => `${page}.md:${line}`;
  const left = fences
    .filter(({ info }) => info.startsWith('not-run='))
    .map((fence) => [place(fence), fence.info.slice('not-run='.length)] as const);

  it('say of every block what it is, and of every block of commands which test runs it, or why none does', () => {
    expect(fences.length).toBeGreaterThan(25);
    expect(fences.filter(({ language }) => language === '').map(place)).toEqual([]);
    const shells = fences.filter(({ language }) => /^(?:ba|z)?sh$|^console$/.test(language));
    expect(
      shells
        .filter(
          ({ language, info }) =>
            language !== 'sh' ||
            !/^(?:run=[\w-]+(?: on=(?:debian|kubernetes|provider|local-models|release))?(?: exit=\d+)?|not-run=\S.*)$/.test(
              info,
            ),
        )
        .map(place),
    ).toEqual([]);
  });

  // Left out, so that the report of the run names them with their reasons.
  for (const [block, reason] of left)
    it(`${block} is run as it stands there`, leaveOut(`${block}: ${reason}`, 'opt-in'), () =>
      expect.unreachable(reason),
    );
});

describe('the image', () => {
  const lines = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line));
  const stages = lines
    .filter((line) => line.startsWith('FROM '))
    .map((line) => /^FROM (\S+) AS (\S+)$/.exec(line)?.slice(1) ?? [line]);

  it('has pinned bases, named stages, and the Node of the lock file', () => {
    expect(stages.map(([, name]) => name)).toEqual(['build', 'service', 'sandbox', 'backup']);
    for (const [base = ''] of stages)
      expect(stages.some(([, name]) => name === base) || /:.*\d/.test(base), base).toBe(true);
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(stages[0]?.[0]).toContain(dependencies['node']);
  });

  it('runs as nobody in particular, has a health check, and takes no secret and no package manager along', () => {
    const from = lines.findIndex((line) => line.endsWith(' AS service'));
    const last = lines.slice(
      from,
      lines.findIndex((line) => line.endsWith(' AS sandbox')),
    );
    expect(last.findLast((line) => line.startsWith('USER '))).toBe('USER 10001:10001');
    expect(last.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
    expect(last.filter((line) => /npm|node_modules(?!\/node\/bin\/node)|^ADD /.test(line))).toEqual([]);
    expect(lines.filter((line) => /^(?:ARG|ENV) .*(?:SECRET|TOKEN|PASSWORD|KEY)/.test(line))).toEqual([]);
    expect(
      lines.filter(
        (line) => /apt-get install/.test(line) && !/--no-install-recommends.*rm -rf \/var\/lib\/apt\/lists/.test(line),
      ),
    ).toEqual([]);
  });

  it('copies only what is there and what the builder is shown', () => {
    const ignore = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
    const shown = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(/\s+/).slice(1, -1));
    for (const source of copied) {
      expect(existsSync(join(ROOT, source)), source).toBe(true);
      expect(shown, source).toContain(source);
    }
    expect([...ignore].find((line) => line !== '' && !line.startsWith('#'))).toBe('*');
  });

  it('is the version of the package, wherever it is named', () => {
    const named = ['compose.yaml', 'kubernetes/web.yaml', 'kubernetes/sandbox.yaml', 'Dockerfile'].flatMap((file) =>
      [...readFileSync(join(DEPLOY, file), 'utf8').matchAll(/agent-platform-(?:service|sandbox):(\d+\.\S+)/g)].map(
        (match) => match[1],
      ),
    );
    expect(new Set(named)).toEqual(new Set([buildInfo().version]));
  });
});

describe('the files themselves', () => {
  it('keep values that look like secrets out', () => {
    const files = readdirSync(DEPLOY, { recursive: true, encoding: 'utf8' }).filter((file) =>
      statSync(join(DEPLOY, file)).isFile(),
    );
    expect(files.length).toBeGreaterThan(20);
    for (const file of files)
      expect(readFileSync(join(DEPLOY, file), 'utf8'), file).not.toMatch(
        /sk-[A-Za-z0-9]{16}|[A-Za-z0-9+/]{43}=|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}/,
      );
  });

  it('give the example only placeholders, which a production check refuses', () => {
    const secrets = Object.entries(example).filter(
      ([name, value]) => ENVIRONMENT[name as 'AUTH_SECRET']?.secret && value !== '',
    );
    expect(secrets.length).toBeGreaterThan(5);
    expect(secrets.filter(([, value]) => !value.includes('change-me'))).toEqual([]);
  });
});
