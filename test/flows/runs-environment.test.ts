// A run in an environment, end to end: real processes, a real sandbox, a scripted model, a host of the environment. Planted
// secrets are looked for in everything that a run leaves.
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/http-client.ts';
import { leaveOut, needs } from '../support/needs.ts';
import { pollUntil } from '../support/poll.ts';
import { bash, openRunStand, type RunStand, type Tenant } from '../support/runs/run-stand.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';

const OUTSIDE = 'sk-outside-only-0123456789';
const INSIDE = 'sk-given-to-commands-9876543210';
const SECRETS = [OUTSIDE, INSIDE].flatMap((secret) => [secret, Buffer.from(secret).toString('base64').slice(0, -3)]);

/** Clients of the sandbox do not use a proxy for numeric addresses of their own. */
const CURL = 'curl -sS --noproxy ""';

describe(
  'a run in an environment',
  sandboxSkipReason === undefined ? needs('curl') : leaveOut(sandboxSkipReason),
  () => {
    let stand: RunStand;
    let tenant: Tenant;
    let host: Server;
    let url: string;
    let seen: { method: string; url: string; headers: IncomingHttpHeaders }[] = [];
    let held: ServerResponse | undefined;
    beforeAll(async () => {
      host = createServer((request, response) => {
        void (async () => {
          await buffer(request);
          const { method = '', url: path = '', headers } = request;
          seen.push({ method, url: path, headers });
          if (path === '/wait') held = response;
          else response.end(`you sent ${headers.authorization ?? 'nothing'}\n`);
        })();
      });
      await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
      url = `https://127.0.0.1:${(host.address() as AddressInfo).port}`;
      stand = await openRunStand();
      tenant = await stand.newTenant();
    });
    afterAll(async () => {
      await stand?.close();
      host?.close();
    });
    afterEach(() => {
      stand.models.reset();
      seen = [];
    });

    const put = async (name: string, body: Body): Promise<Body> => {
      const answer = await tenant.ask('PUT', `/environments/${name}`, body);
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
      return answer.body.environment;
    };
    const outputs = async (id: string): Promise<string[]> =>
      (await tenant.events(id))
        .filter((event) => event.data.progress?.type === 'tool.ended')
        .map(({ detail }) => detail.output);

    it('has its variables, its limits and its hosts, and nothing else', async () => {
      const { port } = new URL(url);
      await put('plain', { variables: { STAGE: 'test' }, hosts: [`127.0.0.1:${port}`], limits: { memoryMiB: 256 } });
      stand.script(
        bash(
          `echo "stage $STAGE"; ${CURL} ${url}/read; ${CURL} -X DELETE ${url}/thing; ${CURL} https://example.com/ 2>&1 | tail -1`,
        ),
        { text: 'Done.' },
      );
      const id = await tenant.run('Look around', { environment: 'plain' });
      const job = await tenant.until(id, 'completed', 'failed');
      expect(job).toMatchObject({ status: 'completed', environment: 'plain' });
      const [said] = await outputs(id);
      expect(said).toContain(
        'stage test\nyou sent nothing\nOnly GET, HEAD requests to this host are open to the run.\n',
      );
      expect(said).toMatch(/CONNECT tunnel failed, response 403/);
      expect(seen.map(({ method, url: path }) => `${method} ${path}`)).toEqual(['GET /read']);
      expect(JSON.stringify(stand.models.requests[0]?.json)).toContain('This run works in the environment');
    });

    it('leaves no secret in anything that is kept or shown of it', async () => {
      const { port } = new URL(url);
      const made = await put('secret', {
        secrets: { OUTSIDE, INSIDE },
        secretVariables: ['INSIDE'],
        writableHosts: [`127.0.0.1:${port}`],
      });
      expect(made).toMatchObject({ secrets: ['INSIDE', 'OUTSIDE'] });
      stand.script(
        bash(
          `${CURL} -X POST -H "authorization: Bearer $OUTSIDE" ${url}/things; echo "$OUTSIDE"; printf %s "$INSIDE" | base64 -w0; echo; printf %s "$INSIDE" | tee /dev/stderr; ${CURL} ${url}/wait; mkdir -p artifacts "artifacts/$INSIDE"; echo "it is $INSIDE" > artifacts/a.txt; touch "artifacts/$INSIDE.txt"`,
        ),
        // As a model would that was told it by other ways.
        { text: `Done with ${INSIDE}.` },
      );
      const id = await tenant.run('Use the secrets', { environment: 'secret' });
      // Live, while the command runs.
      const live = await pollUntil(
        async () => (await tenant.ask('GET', `/jobs/${id}/output`)).body.output,
        (output) => held !== undefined && output?.text.includes('****') === true,
      );
      expect(SECRETS.filter((secret) => JSON.stringify(live).includes(secret))).toEqual([]);
      held?.end();
      const job = await tenant.until(id, 'completed', 'failed');
      expect(job).toMatchObject({
        status: 'completed',
        result: { text: `Done with ${'*'.repeat(INSIDE.length)}.`, artifacts: [{ name: 'a.txt' }] },
      });
      expect(seen[0]).toMatchObject({ method: 'POST', headers: { authorization: `Bearer ${OUTSIDE}` } });
      const [said] = await outputs(id);
      expect(said).toContain(`you sent Bearer ${'*'.repeat(OUTSIDE.length)}\nplaceholder-outside-`);

      const kept = {
        job: JSON.stringify(job),
        events: JSON.stringify(await tenant.events(id)),
        receipts: JSON.stringify((await tenant.ask('GET', `/jobs/${id}/receipts`)).body),
        artifact: String((await tenant.ask('GET', `/jobs/${id}/artifacts/a.txt`)).body),
        environment: JSON.stringify((await tenant.ask('GET', '/environments')).body),
        models: JSON.stringify(stand.models.requests.map(({ json }) => json)),
        row: JSON.stringify((await stand.db.query('select * from :schema.job where id = $1', [id])).rows),
        logs: [stand.worker, stand.broker, stand.driver].map((program) => program.lines.join('\n')).join('\n'),
        files: await readAll(join(stand.directory, 'artifacts', id)),
      };
      for (const [where, text] of Object.entries(kept))
        expect(
          SECRETS.filter((secret) => text.includes(secret)),
          where,
        ).toEqual([]);
      expect(kept.artifact).toBe(`it is ${'*'.repeat(INSIDE.length)}\n`);
    });

    it('begins with what the script of the environment left, which runs once for all of them', async () => {
      await put('prepared', {
        setup: 'echo preparing; cat /proc/sys/kernel/random/uuid > made.txt; echo "for $STAGE" > /home/agent/tool',
        variables: { STAGE: 'test' },
        secrets: { OUTSIDE },
      });
      const looks = bash('cat made.txt /home/agent/tool; echo more >> made.txt');
      const runs = async (count: number): Promise<string[]> => {
        stand.script(
          ...Array.from({ length: count }, () => looks),
          ...Array.from({ length: count }, () => ({ text: 'Done.' })),
        );
        const ids = await Promise.all(
          Array.from({ length: count }, () => tenant.run('Look around', { environment: 'prepared' })),
        );
        const found: string[] = [];
        for (const id of ids) {
          expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({ status: 'completed' });
          found.push(...(await outputs(id)));
        }
        stand.models.reset();
        return found;
      };
      const [first = ''] = await runs(3);
      expect(first).toMatch(/^[0-9a-f-]{36}\nfor test\n$/);
      const [again] = await runs(1);
      expect(again).toBe(first);
      const { setups } = (await tenant.ask('GET', '/environments/prepared/setup')).body;
      expect(setups).toMatchObject([{ state: 'ready', log: 'preparing\n', bytes: expect.any(Number) }]);
      expect(await tenant.ask('POST', '/environments/prepared/rebuild')).toMatchObject({ status: 200 });
      expect((await tenant.ask('GET', '/environments/prepared/setup')).body.setups).toEqual([]);
      expect((await runs(1))[0]).not.toBe(first);
    });

    it('fails with the end of the log if the script fails, and works once that is repaired', async () => {
      await put('broken', { setup: 'echo no such package >&2; exit 3' });
      const id = await tenant.run('Look around', { environment: 'broken' });
      const job = await tenant.until(id, 'completed', 'failed');
      expect(job).toMatchObject({
        status: 'failed',
        error: expect.stringMatching(/no such package\n\[exit code 3\].*environment_setup_failed/s),
      });
      expect((await tenant.ask('GET', '/environments/broken/setup')).body.setups).toMatchObject([
        { state: 'failed', log: 'no such package\n[exit code 3]' },
      ]);
      expect(stand.models.requests).toEqual([]);
      await put('broken', { setup: 'echo repaired' });
      stand.script({ text: 'Done.' });
      const next = await tenant.run('Look around', { environment: 'broken' });
      expect(await tenant.until(next, 'completed', 'failed')).toMatchObject({ status: 'completed' });
    });

    it('fails in words if the organization has no room for what its script left', async () => {
      await put('large', { setup: 'echo done' });
      const fill = (bytes: number) =>
        stand.db.query(
          `insert into :schema.org_storage as s (organization_id, bytes) values ($1, greatest($2::bigint, 0))
           on conflict (organization_id) do update set bytes = s.bytes + $2::bigint`,
          [tenant.organization.id, bytes],
        );
      await fill(2 ** 50);
      const id = await tenant.run('Look around', { environment: 'large' });
      expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({
        status: 'failed',
        error: expect.stringMatching(/done\n\[the organization has no room for the \d+ bytes that it left\]/),
      });
      await fill(-(2 ** 50));
      stand.script({ text: 'Done.' });
      const next = await tenant.run('Look around', { environment: 'large' });
      expect(await tenant.until(next, 'completed', 'failed')).toMatchObject({ status: 'completed' });
      const [{ bytes }] = (await tenant.ask('GET', '/environments/large/setup')).body.setups;
      const { rows } = await stand.db.query(
        `select k.bytes from :schema.job_storage k join :schema.environment_setup s on s.build = k.job_id
           join :schema.environment e on e.id = s.environment_id where k.organization_id = $1 and e.name = 'large'`,
        [tenant.organization.id],
      );
      expect(rows).toEqual([{ bytes }]);
    });

    it('fails in words if the environment is gone, and is refused if it never was', async () => {
      const never = await tenant.ask('POST', '/agents/factory/jobs', { objective: 'x', environment: 'never' });
      expect(never).toMatchObject({ status: 404, body: { error: 'environment_not_found' } });
      await stand.worker.stop();
      await put('brief', {});
      const id = await tenant.run('Look around', { environment: 'brief' });
      expect(await tenant.ask('DELETE', '/environments/brief')).toMatchObject({ status: 200 });
      await stand.startShipped('worker-chat');
      expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('environment_not_found'),
      });
    });
  },
);

async function readAll(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = entries.map(async (entry) =>
    entry.isFile() ? `${entry.name}\n${await readFile(join(entry.parentPath, entry.name), 'utf8')}` : entry.name,
  );
  return (await Promise.all(texts)).join('\n');
}
