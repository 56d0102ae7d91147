// What is said to runs, end to end: real processes, a real sandbox, a scripted model.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../support/http-client.ts';
import { leaveOut } from '../support/needs.ts';
import { bash, openRunStand, type RunStand, type Tenant } from '../support/runs/run-stand.ts';
import { sandboxSkipReason } from '../support/sandbox/sandbox.ts';

describe('a message to a run', leaveOut(sandboxSkipReason), () => {
  let stand: RunStand;
  let tenant: Tenant;
  beforeAll(async () => {
    stand = await openRunStand();
    tenant = await stand.newTenant();
  });
  afterAll(() => stand?.close());
  afterEach(() => stand.models.reset());

  const say = (id: string, body: Body) => tenant.ask('POST', `/jobs/${id}/messages`, body);
  const shown = async (id: string): Promise<Body> => (await tenant.ask('GET', `/jobs/${id}`)).body.job;
  const askedOf = (index: number): string => JSON.stringify(stand.models.requests[index]?.json);
  const heard = async (id: string): Promise<Body[]> =>
    (await tenant.events(id)).filter(({ data }) => data.progress?.type === 'message');

  it('is read at the next step, also by a run that was about to end', async () => {
    const held = Promise.withResolvers<void>();
    stand.script({ text: 'That was all.', until: held.promise }, { text: 'And that, too.' });
    const id = await tenant.run('Count to three');
    await stand.models.request(0);
    const { status, body } = await say(id, { text: '  Count to four  ' });
    expect([status, body.message]).toEqual([
      202,
      { id: expect.any(String), text: 'Count to four', at: expect.any(String), by: tenant.userId, read: false },
    ]);
    expect((await shown(id)).messages).toEqual([body.message]);
    held.resolve();
    expect(await tenant.until(id, 'completed', 'failed')).toMatchObject({
      status: 'completed',
      attempt: 1,
      result: { text: 'And that, too.', steps: 2 },
    });
    expect([askedOf(0).includes('Count to four'), askedOf(1).includes('Count to four')]).toEqual([false, true]);
    expect((await heard(id)).map(({ data, detail }) => [data.progress.message, data.progress.number, detail])).toEqual([
      [body.message.id, 1, { text: 'Count to four' }],
    ]);
    expect((await shown(id)).messages).toEqual([]);
  });

  it('stays unread when the run is aborted first', async () => {
    const held = Promise.withResolvers<void>();
    stand.script({ text: 'Never said.', until: held.promise });
    const id = await tenant.run('Wait');
    await stand.models.request(0);
    await say(id, { text: 'Hurry' });
    await tenant.ask('POST', `/jobs/${id}/abort`);
    held.resolve();
    expect(await shown(id)).toMatchObject({ status: 'aborted', messages: [{ text: 'Hurry', read: false }] });
  });

  it('to one that has ended goes on with its conversation and its files in a new run', async () => {
    stand.script(bash('echo kept > note.txt'), { text: 'The note is written.' });
    const first = await tenant.run('Write a note');
    await tenant.until(first, 'completed', 'failed');
    stand.script(bash('cat note.txt'), { text: 'It says: kept.' });
    const { status, body } = await say(first, { text: 'What does it say?', files: 'required' });
    expect([status, body.job]).toMatchObject([202, { continues: first, objective: 'What does it say?' }]);
    expect(await tenant.until(body.job.id, 'completed', 'failed')).toMatchObject({
      status: 'completed',
      result: { text: 'It says: kept.' },
    });
    for (const words of ['Write a note', 'echo kept', 'The note is written.', 'What does it say?'])
      expect(askedOf(2)).toContain(words);
    expect(askedOf(3)).toContain('kept\\n');
    expect(await shown(first)).toMatchObject({ continuedBy: [body.job.id], messages: [] });
    const [queued] = await tenant.events(body.job.id);
    expect(queued).toMatchObject({ type: 'job.queued', data: { continues: first } });
  });

  it('finds the files again where runs in between only talked', async () => {
    const goOn = async (id: string, ...script: Parameters<RunStand['script']>): Promise<string> => {
      stand.script(...script);
      const { status, body } = await say(id, { text: 'Go on', files: 'required' });
      expect(status).toBe(202);
      await tenant.until(body.job.id, 'completed', 'failed');
      return body.job.id;
    };
    stand.script(bash('echo found-again > note.txt'), { text: 'Written.' });
    const first = await tenant.run('Write a note');
    await tenant.until(first, 'completed', 'failed');
    const talked = await goOn(first, { text: 'I only talk.' });
    const last = await goOn(talked, bash('cat note.txt; echo more >> note.txt'), { text: 'Read.' });
    expect(askedOf(stand.models.requests.length - 1)).toContain('"output":"found-again\\n');
    await goOn(last, { text: 'That was all.' });
  });

  it('is refused with what to do about it', async () => {
    const job = { id: await tenant.run('Fail', { kind: 'control' }) };
    const refusals = [
      await say(job.id, { text: 'x' }),
      await say('job_unknown', { text: 'x' }),
      await say(job.id, { text: ' ' }),
      await say(job.id, { text: 'x'.repeat(100_001) }),
      await say(job.id, { text: 'a\0b' }),
    ].map(({ status, body }) => [status, body.error]);
    expect(refusals).toEqual([
      [409, 'run_takes_no_messages'],
      [404, 'not_found'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
      [400, 'invalid_request'],
    ]);
    await tenant.ask('POST', `/jobs/${job.id}/abort`);
  });
});
