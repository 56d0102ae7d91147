// Connections as configuration of command-line clients in a run's sandbox: real processes and a real sandbox. The files
// and the credential helper are always tried; the clients themselves where the machine has them.
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { leaveOut, needs } from '../support/needs.ts';
import { githubApiHost, githubApiPaths } from '../../src/engines/clients/code-hosts.ts';
import { ghConfig } from '../../src/engines/clients/git-config.ts';
import { type GitHost, startGitHost } from '../support/runs/git-host.ts';
import type { Body } from '../support/http-client.ts';
import { bash, openRunStand, type RunStand, type Tenant } from '../support/runs/run-stand.ts';
import { ROOTLESS, runIn, sandboxSkipReason, withSandbox } from '../support/sandbox/sandbox.ts';

const TOKEN = 'ghp_never_inside_0123456789';
const LONG_LIVED = {
  Version: 1,
  AccessKeyId: 'AKIALONGLIVED0000001',
  SecretAccessKey: 'long-lived-secret-never-inside',
};
const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
const SESSION = {
  Version: 1,
  AccessKeyId: 'ASIASESSION000000001',
  SecretAccessKey: 'session-secret',
  SessionToken: 'session-token',
  Expiration: inAnHour,
};
const WITH_GH =
  "gh api user; gh api graphql -f query='query { viewer { login } }'; gh api graphql -f query='mutation { x }'; gh api -X DELETE repos/acme/app; gh auth status";
/** The same requests as gh makes them. */
const WITHOUT_GH = `ask() { curl -sS --unix-socket /run/egress/proxy.sock -H 'authorization: token placeholder' "$@"; }; ask http://api.github.com/user; for q in 'query { viewer { login } }' 'mutation { x }'; do ask -d "{\\"query\\":\\"$q\\"}" http://api.github.com/graphql; done; ask -X DELETE http://api.github.com/repos/acme/app`;
const has = (program: string): boolean => existsSync(`/usr/bin/${program}`);

describe(
  "command-line clients in a run's sandbox",
  sandboxSkipReason === undefined ? needs('git', 'curl') : leaveOut(sandboxSkipReason),
  () => {
    let stand: RunStand;
    let tenant: Tenant;
    let host: GitHost;
    let sts: Server;
    let traded: string[] = [];
    beforeAll(async () => {
      host = await startGitHost(TOKEN);
      sts = createServer((request, response) => {
        void (async () => {
          const body = await text(request);
          traded.push(`${request.headers.authorization?.split('/')[0]} ${body.split('&')[0]}`);
          response.end(
            `<r><AccessKeyId>ASIATRADED0000000001</AccessKeyId><SecretAccessKey>traded</SecretAccessKey><SessionToken>traded-token</SessionToken><Expiration>${inAnHour}</Expiration></r>`,
          );
        })();
      });
      await new Promise<void>((resolve) => sts.listen(0, '127.0.0.1', resolve));
      // Without root also where the tests have it: brokers, sockets and clients must work there too.
      stand = await openRunStand({
        way: ROOTLESS,
        environment: { SERVICE_AWS_STS_URL: `http://127.0.0.1:${(sts.address() as AddressInfo).port}` },
      });
      tenant = await stand.newTenant();
    });
    afterAll(async () => {
      await stand?.close();
      await host?.close();
      sts?.close();
    });
    afterEach(() => {
      stand.models.reset();
      traded = [];
    });

    async function importInto(owner: Tenant, body: Record<string, unknown>): Promise<string> {
      const token = await stand.mint({ id: owner.userId } as never, owner.organization.id, [
        'connect:read',
        'connect:write',
      ]);
      const answer = await stand.request('POST', '/connect/connections/import', { token, body });
      if (answer.status >= 300) throw new Error(`the import answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return (answer.body.connection ?? answer.body).id;
    }

    /** What one command prints in a run. */
    async function output(owner: Tenant, command: string): Promise<{ said: string; clients: Body }> {
      stand.script(bash(command), { text: 'Done.' });
      const id = await owner.run('Use the clients');
      expect(await owner.until(id, 'completed', 'failed')).toMatchObject({ status: 'completed' });
      const events = await owner.events(id);
      const progress = (type: string): Body => events.find((event) => event.data.progress?.type === type);
      return { said: progress('tool.ended')?.['detail'].output as string, clients: progress('clients')?.data.progress };
    }

    it('are configured by nothing where nothing is connected', async () => {
      const { said, clients } = await output(
        await stand.newTenant(),
        'env | grep -E "^(AWS|GIT|GH|CLOUDSDK|DATABRICKS|HTTP_PROXY)" ; ls -a /workspace',
      );
      expect(said).not.toMatch(/AWS|GIT|GH_|PROXY|\.service/);
      expect(clients).toBeUndefined();
    });

    it('have the accounts of AWS as profiles, and credentials that end by themselves', async () => {
      await importInto(tenant, { kind: 'cloud-credential-process', provider: 'aws', bundle: SESSION });
      await importInto(tenant, { kind: 'cloud-credential-process', provider: 'aws', name: 'Work', bundle: LONG_LIVED });
      await importInto(tenant, { kind: 'local-cloud-profile', provider: 'aws', name: 'laptop', profile: 'prod' });
      const helper =
        'grep -o "/opt/service/node.*" $AWS_CONFIG_FILE | sort -u | while read -r line; do $line 2>&1; echo; done';
      const { said, clients } = await output(
        tenant,
        `env | grep ^AWS_ | sort; grep "^\\[" $AWS_CONFIG_FILE; ${helper}; curl -sS http://credentials.broker/aws/other; ${has('aws') ? 'for p in service service-work; do aws configure list --profile $p; done; aws configure list' : 'true'}; cat /proc/*/environ $AWS_CONFIG_FILE /workspace/.service/*/* | tr "\\0" "\\n"`,
      );
      expect(said).toContain(
        'AWS_CONFIG_FILE=/workspace/.service/aws/config\nAWS_EC2_METADATA_DISABLED=true\nAWS_PAGER=\nAWS_SHARED_CREDENTIALS_FILE=/dev/null\n',
      );
      expect(said).toContain('[default]\n[profile service]\n[profile service-laptop]\n[profile service-work]\n');
      expect(said).toContain(JSON.stringify(SESSION));
      expect(said).toMatch(
        /"AccessKeyId":"ASIATRADED0000000001","SecretAccessKey":"traded","SessionToken":"traded-token","Expiration":"[\d:.TZ-]+"/,
      );
      expect(said).toContain(
        "No credentials for service-laptop: The operator of this deployment does not share the local profile 'prod' with runs.",
      );
      expect(said).toContain('This path is not open to the run.');
      expect(said).not.toContain(LONG_LIVED.SecretAccessKey);
      expect(said).not.toContain('AKIALONGLIVED');
      expect(traded).toContain('AWS4-HMAC-SHA256 Credential=AKIALONGLIVED0000001 Action=GetSessionToken');
      expect(new Set(traded).size).toBe(traded.length);
      if (has('aws')) {
        expect(said.match(/access_key\s+\*+0001\s+custom-process/g)).toHaveLength(3);
        expect(said).toMatch(/profile\s+<not set>[^]*access_key\s+\*+0001/);
      }
      expect(clients).toMatchObject({ profiles: ['aws:service', 'aws:service-laptop', 'aws:service-work'] });
    });

    it('lose a credential when its connection is removed', async () => {
      const leaver = await stand.newTenant();
      const id = await importInto(leaver, { kind: 'cloud-credential-process', provider: 'aws', bundle: SESSION });
      const helper = '/opt/service/node /workspace/.service/aws/credentials.cjs service';
      stand.script(bash(`${helper}; until ${helper} 2>&1 | grep gone; do sleep 0.1; done`), { text: 'Done.' });
      const run = await leaver.run('Ask until it is gone');
      await expect
        .poll(
          async () => (await leaver.events(run)).filter((event) => event.data.progress?.type === 'tool.started').length,
          { timeout: 60_000 },
        )
        .toBe(1);
      const token = await stand.mint({ id: leaver.userId } as never, leaver.organization.id, [
        'connect:read',
        'connect:write',
      ]);
      expect((await stand.request('DELETE', `/connect/connections/${id}`, { token })).status).toBeLessThan(300);
      expect(await leaver.until(run, 'completed', 'failed')).toMatchObject({ status: 'completed' });
      const [ended] = (await leaver.events(run)).filter((event) => event.data.progress?.type === 'tool.ended');
      expect(ended?.['detail'].output).toContain('No credentials for service: The connection is gone.');
      const { said } = await output(leaver, 'env | grep ^AWS_; echo end');
      expect(said).toBe('end\n');
    });

    it('reach a code host through brokers that hold its token, and only to read', async () => {
      const coder = await stand.newTenant();
      await importInto(coder, { kind: 'code-host-token', provider: 'github', token: TOKEN, host: host.host });
      const { said, clients } = await output(
        coder,
        `git clone -q https://${host.host}/acme/app.git app && cat app/README; cd app && echo more >> README && git commit -qam second && git push 2>&1 | grep -o "403\\|error" | head -1; curl -sS http://github.broker/acme/app.git/config; cat /proc/*/environ /workspace/.service/*/* | tr "\\0" "\\n"`,
      );
      expect(said).toContain('hello\n');
      expect(said).toMatch(/403|error/);
      expect(said).not.toContain(TOKEN);
      expect(said).not.toContain(Buffer.from(`x-access-token:${TOKEN}`).toString('base64'));
      expect(host.asked.some(({ url }) => url.includes('git-receive-pack') && !url.includes('info/refs'))).toBe(false);
      expect(host.asked.every(({ authorization }) => authorization?.includes('kept-outside') !== true)).toBe(true);
      expect(clients).toMatchObject({ profiles: ['github:service'] });
    });

    it('lets gh read through the socket of the proxy, with a credential that does not come back', async () => {
      const api = githubApiPaths('github.com', { enforce: false, selected: [] });
      // As for a connection to GitHub itself, with the host of the test in GitHub's place.
      const broker = {
        host: githubApiHost('github.com'),
        target: `http://${host.host}/api/v3`,
        headers: { authorization: `token ${TOKEN}` },
        ...api,
      };
      const { files, env } = ghConfig(['github.com']);
      const first = host.asked.length;
      await withSandbox(stand.sandbox.client, { network: { brokers: [broker] }, env: { ...env } }, async (id) => {
        for (const { path, content } of files) await stand.sandbox.client.writeFile(id, path, content);
        const { stdout, stderr } = await runIn(stand.sandbox.client, id, has('gh') ? WITH_GH : WITHOUT_GH);
        expect(stdout).toContain(`"login":"octo","echoed":"${'*'.repeat(`token ${TOKEN}`.length)}"`);
        expect(stdout + stderr).toContain('Only queries that read are open to the run.');
        expect(stdout + stderr).not.toContain(TOKEN);
      });
      expect(host.asked.slice(first).map(({ method, url }) => `${method} ${url}`)).toEqual(
        expect.arrayContaining(['GET /api/v3/user', 'POST /api/v3/graphql']),
      );
      expect(
        host.asked.slice(first).filter(({ method, body }) => method === 'DELETE' || body.includes('mutation')),
      ).toEqual([]);
    });
  },
);
