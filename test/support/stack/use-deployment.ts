// What people do on a new deployment, as a program of its own: node use-deployment.ts <public URL>. It runs where the
// deployment is reachable and prints what it saw as one JSON value; the flow that starts it says what it expects.
import { signUp } from '../http-client.ts';

const url = process.argv[2] ?? '';
const json = { 'content-type': 'application/json' };

const owner = await signUp(url, 'Operator');
const { body } = await owner.post('/api/organizations', { name: 'Acme' });
const organization: string = body.organization.id;
const token = await owner.token(organization, ['chat', 'jobs:write', 'jobs:read', 'connect:read']);
const bearer = { authorization: `Bearer ${token}` };

const answer = await fetch(`${url}/v1/chat/completions`, {
  method: 'POST',
  headers: { ...bearer, ...json },
  body: JSON.stringify({ model: 'openai/gpt-5-mini', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
});
const said = [...(await answer.text()).matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text).join('');

// A stream that stays open: its first event arrives only where nothing on the way collects it.
const changes = await fetch(`${url}/api/changes?organization=${organization}`, {
  headers: { cookie: owner.cookie, origin: url },
});
const reader = changes.body?.getReader();
const firstEvent = new TextDecoder().decode((await reader?.read())?.value);
await reader?.cancel();

const live = new WebSocket(`${url.replace('http', 'ws')}/runtime/factory/live?token=${token}`);
await new Promise((resolve, reject) => {
  live.addEventListener('open', resolve);
  live.addEventListener('error', () => reject(new Error('the live channel did not open')));
});
const ended = new Promise<void>((resolve) =>
  live.addEventListener('message', ({ data }) => /"(?:completed|failed|aborted)"/.test(String(data)) && resolve()),
);
const started = await fetch(`${url}/runtime/agents/factory/jobs`, {
  method: 'POST',
  headers: { ...bearer, ...json },
  body: JSON.stringify({ objective: 'Write a short note about lighthouses' }),
});
const { job } = (await started.json()) as { job: { id: string } };
await ended;
live.close();
const seen = (await (await fetch(`${url}/runtime/jobs/${job.id}`, { headers: bearer })).json()) as {
  job: { status: string; artifacts?: unknown[] };
};

process.stdout.write(
  JSON.stringify({
    chat: [answer.status, answer.headers.get('x-service-credential'), said],
    firstEvent,
    run: seen.job,
  }),
);
