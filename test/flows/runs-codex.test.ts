// Background runs of kind codex, end to end: real processes and a real sandbox. A small program stands in for the Codex
// CLI; where SERVICE_TEST_CODEX names a directory tools that holds the real one, the same runs are made with it too.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { leaveOut, needs } from '../support/needs.ts';
import { plantRealCodex, plantStandIn, shareTools } from '../support/models/codex-stand-in.ts';
import type { Body } from '../support/http-client.ts';
import type { Script } from '../support/models/model-scripts.ts';
import { openRunStand, PLATFORM_KEY, type RunStand, type Tenant } from '../support/runs/run-stand.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';
import type { Program } from '../support/watch-process.ts';

const REAL = process.env['SERVICE_TEST_CODEX'];
const programs = [
  { what: 'a stand-in', real: false },
  ...(REAL === undefined ? [] : [{ what: 'the Codex CLI', real: true }]),
];
const command = (cmd: string): Script => ({ toolCalls: [{ name: 'exec_command', arguments: { cmd } }] });
/** A call of a tool in a namespace, as the Responses API streams it. */
function namespaced(namespace: string, name: string, given: object): Script {
  const item = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_1',
    namespace,
    name,
    arguments: JSON.stringify(given),
    status: 'completed',
  };
  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: 'scripted',
    status: 'completed',
    output: [item],
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    },
  };
  const events = [
    { type: 'response.created', sequence_number: 0, response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.done', sequence_number: 1, output_index: 0, item },
    { type: 'response.completed', sequence_number: 2, response },
  ];
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  };
}
const facts = (events: Body[], type: string): Body[] => events.filter((event) => event.data.progress?.type === type);

for (const { what, real } of programs)
  describe(`a run of kind codex, with ${what}`, leaveOut(sandboxSkipReason), () => {
    let stand: RunStand;
    let tenant: Tenant;
    let worker: Program;
    beforeAll(async () => {
      stand = await openRunStand({ worker: 'worker-codex' });
      const tools = await shareTools(stand.sandbox.directory, stand.directory);
      await (real ? plantRealCodex(tools, REAL ?? '') : plantStandIn(tools));
      tenant = await stand.newTenant();
      worker = stand.worker;
    });
    afterAll(() => stand?.close());
    afterEach(() => stand.models.reset());
    const run = (objective: string, more: Record<string, unknown> = {}): Promise<string> =>
      tenant.run(objective, { kind: 'codex', ...more });

    it('works in its sandbox, leaves artifacts and answers with its last message', async () => {
      stand.script(
        command('mkdir -p artifacts && echo "six times seven is $((6 * 7))" | tee artifacts/report.txt; exit 3'),
        { text: 'The report is there.', usage: { inputTokens: 100, outputTokens: 7 } },
      );
      const id = await run('Write a report');
      const job = await tenant.until(id, 'completed', 'failed');
      expect(job).toMatchObject({
        status: 'completed',
        attempt: 1,
        result: {
          text: 'The report is there.',
          usage: { calls: 2, inputTokens: 110, outputTokens: 12 },
          credential: 'platform',
          artifacts: [{ name: 'report.txt', size: 22 }],
        },
      });
      expect((await tenant.ask('GET', `/jobs/${id}/artifacts/report.txt`)).body).toBe('six times seven is 42\n');
      const events = await tenant.events(id);
      expect(facts(events, 'began')[0]?.data.progress).toMatchObject({
        engine: 'codex',
        sandbox: 'bubblewrap',
        limits: { memory: expect.any(String), time: 'timer' },
      });
      expect(facts(events, 'tool.started').map(({ data }) => data.progress.tool)).toEqual(['bash']);
      expect(facts(events, 'tool.ended')[0]).toMatchObject({
        data: { progress: { tool: 'bash', exit: 3 } },
        detail: { output: expect.stringContaining('six times seven is 42') },
      });
      expect(facts(events, 'model').at(-1)).toMatchObject({ detail: { text: 'The report is there.' } });
    });

    it(
      "calls the model as the run's, whatever the sandbox asks for, with a key that is not in there",
      needs('curl'),
      async () => {
        const look =
          'env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"; cat $CODEX_HOME/config.toml; ls /workspace/.service; ' +
          'curl -sS -o /dev/null -w "models %{http_code}\\n" http://openai.broker/v1/models; curl -sS -w " forged %{http_code}\\n" -H "content-type: application/json" -d \'{"model":"anthropic/claude-sonnet-5","input":"hi"}\' http://openai.broker/v1/responses';
        stand.script(command(look), { text: 'from the forged call' }, { text: 'Looked.' });
        const id = await run('Look around', { model: 'openai/gpt-5.5' });
        expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({
          status: 'completed',
          result: { text: 'Looked.' },
        });
        expect(
          stand.models.requests.map(({ headers, json }) => [headers.authorization, (json as Body)['model']]),
        ).toEqual(Array.from({ length: 3 }, () => [`Bearer ${PLATFORM_KEY}`, 'gpt-5.5']));
        const output = String(facts(await tenant.events(id), 'tool.ended')[0]?.['detail'].output);
        expect(output).toContain('models 403');
        expect(output).toMatch(/from the forged call[^]* forged 200/);
        expect(output).toContain('http://openai.broker/v1');
        expect(output).not.toContain(PLATFORM_KEY);
        expect(output).not.toMatch(/Bearer |127\.0\.0\.1:(?!3128)/);
      },
    );

    it('is paid for by the organization, and fails at once, with the reason, when there is no one to pay', async () => {
      const poor = await stand.newTenant();
      await poor.setCredit(1);
      const job = await poor.until(await poor.run('Too dear', { kind: 'codex' }), 'completed', 'failed');
      expect(job).toMatchObject({ status: 'failed', attempt: 1, error: expect.any(String) });
      const last = (await poor.events(job['id'] as string)).at(-1);
      expect(last?.data).toMatchObject({ code: 'quota_exceeded' });
      expect(stand.models.requests).toHaveLength(0);
    });

    it('fails with the words of Codex when the model does', async () => {
      stand.models.respondByDefault({ status: 500, message: 'Scripted trouble.' });
      const id = await run('Fail');
      expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('Codex could not finish'),
      });
      expect((await tenant.events(id)).at(-1)?.data).toMatchObject({ code: 'codex_turn_failed' });
    });

    it('ends with all its processes when it is aborted', async () => {
      stand.script(command('echo begun; exec -a sleeps-for-the-abort sleep 300'));
      const id = await run('Sleep');
      await expect.poll(async () => facts(await tenant.events(id), 'tool.started').length, { timeout: 60_000 }).toBe(1);
      expect((await tenant.ask('POST', `/jobs/${id}/abort`)).status).toBe(200);
      expect(await tenant.until(id, 'aborted')).toMatchObject({ status: 'aborted' });
      await expect
        .poll(async () => ((await stand.sandbox.client.health()) as { sandboxes: number }).sandboxes, {
          timeout: 30_000,
        })
        .toBe(0);
    });

    it("reaches the workspace's tools with a token that stays outside", async () => {
      await tenant.connect('github');
      const given = { owner: 'o', repo: 'r' };
      stand.script(
        real
          ? namespaced('mcp__platform', 'github__list_issues', given)
          : { toolCalls: [{ name: 'github__list-issues', arguments: given }] },
        { text: 'Two issues.' },
      );
      // A model that this Codex has no description of is offered tools in the plain way.
      const id = await run('List the issues', { capabilities: ['github'], model: 'openai/gpt-5.4' });
      expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({
        status: 'completed',
        result: { text: 'Two issues.' },
      });
      expect(stand.apps.asked.at(-1)?.url).toBe('/proxy/repos/o/r/issues');
      expect(facts(await tenant.events(id), 'tool.ended')[0]).toMatchObject({
        data: { progress: { tool: 'github__list-issues', ok: true } },
      });
    });

    it('goes on with its session where its worker is killed, and hears what is said meanwhile', async () => {
      stand.script(command('echo left-behind > one.txt; echo first-is-done'), command('sleep 27183.9'));
      const id = await run('Survive');
      const started = async (): Promise<number> => facts(await tenant.events(id), 'tool.started').length;
      await expect.poll(started, { timeout: 60_000 }).toBe(2);
      await worker.stop('SIGKILL');
      expect((await tenant.ask('POST', `/jobs/${id}/messages`, { text: 'And say please.' })).status).toBe(202);
      stand.models.reset();
      stand.script(command('cat one.txt'), { text: 'Survived, please.' });
      worker = await stand.startShipped('worker-codex');
      expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({
        status: 'completed',
        attempt: 2,
        result: { text: 'Survived, please.' },
      });
      const sent = stand.models.requests.map(({ json }) => JSON.stringify((json as Body).input));
      // The session has the first step, the prompt what is known of the second, and no step is made twice.
      expect(sent.at(-1)).toContain('first-is-done');
      expect(sent.at(-1)).toContain('its end is not known');
      expect(sent.at(-1)).toContain('And say please.');
      expect(sent.at(-1)).toContain('left-behind');
      const events = await tenant.events(id);
      expect(facts(events, 'tool.started')).toHaveLength(3);
      expect(facts(events, 'began').map(({ data }) => data.progress.files)).toEqual([undefined, true]);
    });

    it(
      'says how Codex ended when it did not say why',
      leaveOut(real ? 'only the stand-in can be told how to end' : undefined, 'impossible'),
      async () => {
        stand.script({ text: 'exit 9' });
        const id = await run('Break');
        expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({
          status: 'failed',
          error: 'Codex ended with code 9: WARNING: what is said here is no event (codex_failed)',
        });
      },
    );
  });
