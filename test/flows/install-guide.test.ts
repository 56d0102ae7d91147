// The install guide for one machine without containers, word for word on a Debian of its own: every block that the page
// marks with on=debian, Debian's PostgreSQL, the units as systemd would start them, nginx in front. Then people use it.
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEnvFile, readUnits, type Unit } from '../../scripts/read-deploy-files.ts';
import { readGuides } from '../support/stack/guides.ts';
import { type InnerProcess, type Machine, startMachine, whyNoMachine } from '../support/stack/machine.ts';
import { leaveOut, needs } from '../support/needs.ts';
import { poll } from '../support/poll.ts';
import { PROVIDER_TABLES } from '../support/models/provider-tables.ts';
import { ROOTFUL } from '../support/sandbox/sandbox.ts';
import { environmentOfUnit, openFilesOf, startUnit } from '../support/stack/start-unit.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const DEMO_PORT = 4007;
/** A whole build is part of it. */
const BUILD_MS = 300_000;
const TRUST = {
  CURL_CA_BUNDLE: '/etc/service/tls/certificate.pem',
  NODE_EXTRA_CA_CERTS: '/etc/service/tls/certificate.pem',
};
/** Of root, on a machine whose Node is new enough to start the build. */
const SHELL = {
  PATH: `${dirname(process.execPath)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
  HOME: '/root',
};
const blocks = readGuides('debian');
const ran = new Set<string>();
const reason = whyNoMachine() ?? ROOTFUL.leftOut;
const programs = needs('nginx', 'initdb', 'curl', 'git', 'openssl');

describe('the install guide on one machine', reason === undefined ? programs : leaveOut(reason), () => {
  let machine: Machine;
  const units = new Map<string, { unit: Unit; child: InnerProcess; log: () => string }>();

  beforeAll(async () => {
    machine = await startMachine();
    // What a bare machine has by itself: a database server that Debian started, a name that leads here, and a systemctl.
    await machine.sh(`rm -rf /var/lib/postgresql /etc/postgresql /run/postgresql /etc/service /opt/service
      install -d -o postgres -g postgres /var/lib/postgresql && install -d -o postgres -g postgres -m 2775 /run/postgresql
      pg_createcluster $(ls /usr/lib/postgresql | sort -n | tail -1) main --start
      echo 'APT::Get::Upgrade "false";' > /etc/apt/apt.conf.d/99-without-network
      echo '127.0.0.1 agents.example.org' >> /etc/hosts
      printf '#!/bin/sh\\necho "$*" >> /run/systemctl.asked\\n' > /usr/local/bin/systemctl && chmod 755 /usr/local/bin/systemctl
      git -C ${ROOT} rev-parse HEAD 2>/dev/null || { git -C ${ROOT} init --quiet && git -C ${ROOT} add . && git -C ${ROOT} -c user.name=t -c user.email=t@example.test commit --quiet -m t; }`);
  });
  afterAll(async () => {
    await stopAll();
    await machine?.sh('pg_ctlcluster $(ls /usr/lib/postgresql | sort -n | tail -1) main stop --mode immediate || true');
    await machine?.close();
  });

  async function follow(name: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const block = blocks.find((one) => one.name === name);
    if (!block) throw new Error(`install.md has no block ${name}`);
    ran.add(name);
    const { code, stdout, stderr } = await machine.run(['bash', '--norc', '-euo', 'pipefail', '-c', block.script], {
      environment: { ...SHELL, ...environment },
    });
    expect([code, code === block.exit ? '' : `${stdout}${stderr}`], name).toEqual([block.exit, '']);
    return stdout + stderr;
  }

  /** What systemctl was asked for since the last time: there is no systemd in there, so the test does it. */
  async function asked(): Promise<string[]> {
    return (await machine.sh('cat /run/systemctl.asked; rm /run/systemctl.asked')).trim().split('\n');
  }

  async function startAll(): Promise<void> {
    const wanted =
      readUnits()
        .find(({ file }) => file === 'service.target')
        ?.settings.get('Wants')?.[0]
        ?.split(' ') ?? [];
    for (const unit of readUnits().filter(({ file }) => wanted.includes(file))) {
      const child = await startUnit(machine, unit);
      let log = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (log += text));
      units.set(unit.file, { unit, child, log: () => log });
    }
  }

  async function stopAll(): Promise<Record<string, number | null>> {
    const codes = await Promise.all(
      [...units].map(async ([file, { child }]) => {
        if (child.exitCode !== null || child.signalCode !== null) return [file, child.exitCode] as const;
        const ended = once(child, 'exit') as Promise<[number | null]>;
        child.kill('SIGTERM');
        return [file, (await ended)[0]] as const;
      }),
    );
    units.clear();
    return Object.fromEntries(codes);
  }

  const ended = (): string[] =>
    [...units]
      .filter(([, { child }]) => child.exitCode !== null)
      .map(([file, { log }]) => `${file}: ${log().slice(-600)}`);

  async function untilHealthy(): Promise<void> {
    await poll(async () => {
      if (ended().length > 0) throw new Error(ended().join('\n'));
      const { code } = await machine.run([
        'curl',
        // Without it the code is that of the last address alone.
        '--fail-early',
        '--fail',
        '--silent',
        'http://127.0.0.1:4000/healthz',
        '--next',
        '--fail',
        '--silent',
        'http://127.0.0.1:4000/runtime/healthz',
        '--next',
        '--fail',
        '--silent',
        'http://127.0.0.1:4008/healthz',
      ]);
      return code === 0;
    });
  }

  it(
    'builds the program, makes a sound bundle, the databases and the account',
    async () => {
      await follow('packages');
      await follow('clone', { REPOSITORY: `file://${ROOT}` });
      // The packages of this checkout, and what is not committed yet.
      await machine.sh(
        `mkdir /opt/service/node_modules && mount --bind ${ROOT}/node_modules /opt/service/node_modules; cd ${ROOT} && cp -r src web cli deploy docs migrations connectors scripts package.json /opt/service/`,
      );
      await follow('build');
      expect(await follow('secrets')).toMatch(/production\.env/);
      await follow('bundle');
      expect(
        await machine.sh('stat -c %a /etc/service/production.env; ls /opt/service/production.env 2>&1 || true'),
      ).toMatch(/^600\n.*No such file/);
      await follow('databases');
      // Models for nothing, and a ceiling on what strangers spend, so that the doctor has nothing to say.
      await machine.sh(
        `printf 'OPENAI_API_KEY=sk-demo\\nOPENAI_API_URL=http://127.0.0.1:${DEMO_PORT}\\nSERVICE_PLATFORM_MONTHLY_LIMIT_USD=50\\n' >> /etc/service/production.env`,
      );
      machine.start([process.execPath, '/opt/service/dist/demo-providers.js'], {
        environment: { SERVICE_DEMO_PROVIDERS_PORT: String(DEMO_PORT) },
      });
    },
    BUILD_MS,
  );

  it('starts every unit under its own umask, user, limits and environment, the sandbox controller too', async () => {
    await follow('units');
    expect(await asked()).toEqual(['daemon-reload', 'enable --now service.target', 'list-units service*']);
    await startAll();
    await untilHealthy();
    const web = units.get('service-web.service');
    const status = await machine.sh(
      `grep -E '^(Umask|Uid|NoNewPrivs|CapBnd)' /proc/${web?.child.pid}/status; grep 'open files' /proc/${web?.child.pid}/limits; id --user service`,
    );
    expect(status).toMatch(/Umask:\s+0077/);
    expect(status).toMatch(/NoNewPrivs:\s+1/);
    expect(status).toMatch(/CapBnd:\s+0+\n/);
    expect(/Max open files\s+(\d+)/.exec(status)?.[1]).toBe(web && String(openFilesOf(web.unit)));
    expect(/Uid:\s+(\d+)/.exec(status)?.[1]).toBe(status.trim().split('\n').at(-1));
  });

  it('shows runs what the workers install', async () => {
    const { SERVICE_SANDBOX_TOKEN: token = '' } = readEnvFile(await machine.sh('cat /etc/service/production.env'));
    await machine.sh(
      'runuser --user service -- sh -c \'umask 022; mkdir /var/lib/service/tools/bin; printf "#!/bin/sh\\necho greetings\\n" > /var/lib/service/tools/bin/greet; chmod 755 /var/lib/service/tools/bin/greet\'',
    );
    const ask = (path: string, body: object): Promise<string> =>
      machine.sh(
        `curl --fail --silent --show-error --header "authorization: Bearer $TOKEN" --header 'content-type: application/json' --data '${JSON.stringify(body)}' http://127.0.0.1:4008/v1/sandboxes${path}`,
        { environment: { TOKEN: token } },
      );
    const { id } = JSON.parse(await ask('', {})) as { id: string };
    expect(await ask(`/${id}/exec`, { argv: ['greet'] })).toContain('"d":"greetings\\n"');
  });

  it('serves people through nginx: TLS, streams that nothing buffers, a WebSocket, and a run in a sandbox', async () => {
    await follow('certificate');
    await follow('nginx');
    expect(await asked()).toEqual(['reload nginx']);
    machine.start(['nginx', '-g', 'daemon off;']);
    await poll(async () => {
      expect(ended()).toEqual([]);
      const { code } = await machine.run(['curl', '--silent', 'https://agents.example.org/'], { environment: TRUST });
      return code === 0;
    });
    const { code, stdout, stderr } = await machine.run(
      [
        process.execPath,
        '--disable-warning=ExperimentalWarning',
        join(ROOT, 'test', 'support', 'stack', 'use-deployment.ts'),
        'https://agents.example.org',
      ],
      { environment: TRUST },
    );
    expect([code, stderr]).toEqual([0, '']);
    const { chat, firstEvent, run } = JSON.parse(stdout) as {
      chat: unknown[];
      firstEvent: string;
      run: { status: string };
    };
    expect(chat).toEqual([200, 'platform', expect.stringMatching(/^Demo answer/)]);
    expect(firstEvent).not.toBe('');
    expect(run).toMatchObject({ status: 'completed' });
    // Private services stay private behind the proxy, whatever name is asked for.
    expect(
      await machine.sh(
        "curl --silent --output /dev/null --write-out '%{http_code}' https://agents.example.org/metrics",
        { environment: TRUST },
      ),
    ).toBe('404');
    expect(
      (
        await machine.run([
          'curl',
          '--silent',
          '--insecure',
          '--resolve',
          'localhost:443:127.0.0.1',
          'https://localhost/metrics',
        ])
      ).code,
    ).not.toBe(0);
  });

  it('is called healthy by the doctor: with the bundle, and in the environment of each role', async () => {
    expect(await follow('healthy', TRUST)).toMatch(/All checks passed/);
    for (const { unit } of [...units.values()].filter(({ unit: { settings } }) =>
      settings.get('Environment')?.some((line) => line.startsWith('SERVICE_PROCESS_ROLE=')),
    )) {
      const { code, stdout, stderr } = await machine.run(['servicectl', 'doctor', '--production'], {
        environment: { ...(await environmentOfUnit(machine, unit)), ...SHELL, ...TRUST },
      });
      expect([unit.file, code, code === 0 ? '' : stdout + stderr]).toEqual([unit.file, 0, '']);
    }
  });

  it("points the provider's webhook here with the role that may write, and the deployment's own may not", async () => {
    await machine.sh(
      'cd / && printf "set role nango; %s" "$TABLES" | runuser --user postgres -- psql --quiet --set=ON_ERROR_STOP=1 nango',
      { environment: { TABLES: PROVIDER_TABLES } },
    );
    await follow('provider');
    expect(await asked()).toEqual(['restart service.target']);
    const bundle = readEnvFile(await machine.sh('cat /etc/service/production.env'));
    const refused = await machine.run(['servicectl', 'integrations', 'webhook', '--apply'], {
      environment: { ...SHELL, ...bundle },
    });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/permission denied/)]);
    expect(await follow('webhook')).toContain('https://agents.example.org/connect/integrations/webhook');
    expect(
      (
        await machine.run(['servicectl', 'integrations', 'webhook', '--check'], {
          environment: { ...SHELL, ...bundle },
        })
      ).code,
    ).toBe(0);
  });

  it('stops every part cleanly, and leaves no block of the page out', async () => {
    const codes = await stopAll();
    expect(codes).toEqual(Object.fromEntries(Object.keys(codes).map((file) => [file, 0])));
    expect(Object.keys(codes)).toHaveLength(9);
    expect(blocks.filter(({ name }) => !ran.has(name)).map(({ name }) => name)).toEqual([]);
  });
});
