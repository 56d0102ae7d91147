// What the demo apps answer, one row per path. Any other path echoes the request, so every connector of the catalogue can
// be tried.
import * as data from './sample-data.ts';
import type { DemoItems } from './demo-items.ts';

interface DemoCall {
  readonly parts: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly items: DemoItems;
}
type Answer = (call: DemoCall) => unknown;

const page = <T>(list: readonly T[], query: URLSearchParams, size = 'per_page'): T[] => {
  const [length, number] = [Number(query.get(size) ?? 30) || 30, Number(query.get('page') ?? 1) || 1];
  return list.slice((number - 1) * length, number * length);
};
const one = <T extends object>(list: readonly T[], key: keyof T, value: string | undefined): T | undefined =>
  list.find((entry) => String(entry[key]) === value);
const text = (value: unknown, fallback: string): string =>
  typeof value === 'string' && value !== '' ? value : fallback;

const github: Record<string, Answer> = {
  'GET /user/repos': ({ query }) => page(data.REPOSITORIES, query),
  'GET /repos/{owner}/{repo}': ({ parts }) => one(data.REPOSITORIES, 'name', parts['repo']),
  'GET /repos/{owner}/{repo}/issues': async ({ parts, query, items }) => {
    const made = await items.list('issue', `${parts['owner']}/${parts['repo']}`);
    const state = query.get('state') ?? 'open';
    return page(
      [...made, ...data.ISSUES].filter((issue) => state === 'all' || issue['state'] === state),
      query,
    );
  },
  'GET /repos/{owner}/{repo}/issues/{number}': async ({ parts, items }) =>
    [...(await items.list('issue', `${parts['owner']}/${parts['repo']}`)), ...data.ISSUES].find(
      (issue) => String(issue['number']) === parts['number'],
    ),
  'POST /repos/{owner}/{repo}/issues': async ({ parts, body, items }) => {
    const place = `${parts['owner']}/${parts['repo']}`;
    return items.add('issue', place, (id) => ({
      number: 100 + id,
      title: text(body['title'], 'Untitled'),
      body: text(body['body'], ''),
      state: 'open',
      user: { login: 'you' },
      labels: [],
      html_url: `https://github.example/${place}/issues/${100 + id}`,
      created_at: new Date().toISOString(),
    }));
  },
  'GET /repos/{owner}/{repo}/pulls': ({ query }) => page(data.PULL_REQUESTS, query),
};

const slack: Record<string, Answer> = {
  'GET /conversations.list': () => ({ ok: true, channels: data.CHANNELS, response_metadata: { next_cursor: '' } }),
  'GET /conversations.history': async ({ query, items }) => ({
    ok: true,
    messages: [...(await items.list('message', query.get('channel') ?? '')), ...data.MESSAGES],
    has_more: false,
  }),
  'GET /users.list': () => ({ ok: true, members: data.SLACK_USERS }),
  'POST /chat.postMessage': async ({ body, items }) => {
    const channel = text(body['channel'], 'C001');
    const message = await items.add('message', channel, () => ({
      type: 'message',
      user: 'U000',
      text: text(body['text'], ''),
      ts: (Date.now() / 1_000).toFixed(6),
    }));
    return { ok: true, channel, ts: message['ts'], message };
  },
};

const google: Record<string, Record<string, Answer>> = {
  'google-calendar': {
    'GET /calendar/v3/users/me/calendarList': () => ({ kind: 'calendar#calendarList', items: data.CALENDARS }),
    'GET /calendar/v3/calendars/{calendar}/events': () => ({ kind: 'calendar#events', items: data.EVENTS }),
    'GET /calendar/v3/calendars/{calendar}/events/{event}': ({ parts }) => one(data.EVENTS, 'id', parts['event']),
  },
  'google-mail': {
    'GET /gmail/v1/users/me/messages': () => ({
      messages: data.MAILS.map(({ id, threadId }) => ({ id, threadId })),
      resultSizeEstimate: data.MAILS.length,
    }),
    'GET /gmail/v1/users/me/messages/{id}': ({ parts }) => one(data.MAILS, 'id', parts['id']),
    'GET /gmail/v1/users/me/labels': () => ({
      labels: ['INBOX', 'SENT'].map((id) => ({ id, name: id, type: 'system' })),
    }),
  },
  'google-drive': {
    'GET /drive/v3/files': () => ({ kind: 'drive#fileList', files: data.FILES }),
    'GET /drive/v3/files/{id}': ({ parts }) => one(data.FILES, 'id', parts['id']),
  },
  'google-sheet': {
    'GET /v4/spreadsheets/{id}': ({ parts }) => ({
      spreadsheetId: parts['id'],
      properties: { title: 'Price list' },
      sheets: [{ properties: { title: 'Sheet1' } }],
    }),
    'GET /v4/spreadsheets/{id}/values/{range}': ({ parts }) => ({
      range: parts['range'],
      majorDimension: 'ROWS',
      values: [
        ['Product', 'Price'],
        ['Coffee', '8.50'],
        ['Tea', '6.20'],
      ],
    }),
  },
  'google-cloud': {
    'GET /v3/projects:search': () => ({
      projects: [{ name: 'projects/1001', projectId: 'acme-demo', displayName: 'Acme demo', state: 'ACTIVE' }],
    }),
  },
};

const atlassian: Record<string, Answer> = {
  'GET /oauth/token/accessible-resources': () => [
    {
      id: '11111111-2222-4333-8444-555555555555',
      name: 'acme-demo',
      url: 'https://acme-demo.atlassian.example',
      scopes: ['read:jira-work', 'read:confluence-content.all'],
    },
  ],
};

export const DEMO_ROUTES: Readonly<Record<string, Readonly<Record<string, Answer>>>> = {
  github,
  slack,
  ...google,
  jira: atlassian,
  confluence: atlassian,
  gitlab: {
    'GET /api/v4/projects': ({ query }) => page(data.PROJECTS, query),
    'GET /api/v4/projects/{id}': ({ parts }) =>
      data.PROJECTS.find(
        (project) => String(project.id) === parts['id'] || project.path_with_namespace === parts['id'],
      ),
    'GET /api/v4/projects/{id}/issues': () => data.ISSUES.map(({ number, ...issue }) => ({ iid: number, ...issue })),
    'GET /api/v4/projects/{id}/merge_requests': () =>
      data.PULL_REQUESTS.map(({ number, ...request }) => ({ iid: number, ...request })),
  },
  notion: {
    'POST /v1/search': ({ body }) => {
      const wanted = text(body['query'], '').toLowerCase();
      return {
        object: 'list',
        results: data.PAGES.filter((entry) =>
          (entry.properties.title.title[0]?.plain_text ?? '').toLowerCase().includes(wanted),
        ),
        has_more: false,
        next_cursor: null,
      };
    },
    'GET /v1/pages/{id}': ({ parts }) => one(data.PAGES, 'id', parts['id']),
    'GET /v1/blocks/{id}/children': () => ({
      object: 'list',
      results: [
        {
          object: 'block',
          type: 'paragraph',
          paragraph: { rich_text: [{ plain_text: 'Made-up text of a demo page.' }] },
        },
      ],
      has_more: false,
    }),
  },
  'stripe-api-key': {
    'GET /v1/customers': ({ query }) => ({
      object: 'list',
      data: data.CUSTOMERS.filter(({ email }) => (query.get('email') ?? email) === email),
      has_more: false,
    }),
    'GET /v1/invoices': ({ query }) => ({
      object: 'list',
      data: data.INVOICES.filter(({ customer }) => (query.get('customer') ?? customer) === customer),
      has_more: false,
    }),
    'GET /v1/balance': () => ({
      object: 'balance',
      available: [{ amount: 125_000, currency: 'eur' }],
      pending: [{ amount: 4_200, currency: 'eur' }],
    }),
  },
  hubspot: {
    'GET /crm/v3/objects/contacts': () => ({ results: data.CONTACTS }),
    'GET /crm/v3/objects/contacts/{id}': ({ parts }) => one(data.CONTACTS, 'id', parts['id']),
    'GET /crm/v3/objects/companies': () => ({ results: data.COMPANIES }),
  },
  asana: {
    'GET /api/1.0/workspaces': () => ({ data: [{ gid: '1', name: 'Acme demo', resource_type: 'workspace' }] }),
    'GET /api/1.0/tasks': async ({ items }) => ({ data: [...(await items.list('task', 'asana')), ...data.TASKS] }),
    'POST /api/1.0/tasks': async ({ body, items }) => ({
      data: await items.add('task', 'asana', (id) => ({
        gid: String(400 + id),
        name: text((body['data'] as Record<string, unknown> | undefined)?.['name'] ?? body['name'], 'Untitled'),
        completed: false,
        resource_type: 'task',
      })),
    }),
  },
};
