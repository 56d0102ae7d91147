// Sample data of the demo apps: one small company, consistent across all apps.
const OWNER = 'acme-demo';
const people = [
  { key: 'ada', name: 'Ada Okafor', email: 'ada@acme-demo.example' },
  { key: 'ben', name: 'Ben Sato', email: 'ben@acme-demo.example' },
  { key: 'chloe', name: 'Chloé Martin', email: 'chloe@acme-demo.example' },
];
const at = (day: number, hour = 9): string => new Date(Date.UTC(2026, 0, day, hour)).toISOString();

export const REPOSITORIES = ['webshop', 'billing', 'handbook'].map((name, index) => ({
  id: 1_001 + index,
  name,
  full_name: `${OWNER}/${name}`,
  private: name === 'billing',
  owner: { login: OWNER },
  description: { webshop: 'The shop that customers see', billing: 'Invoices and payments', handbook: 'How we work' }[
    name
  ],
  default_branch: 'main',
  open_issues_count: 2,
  stargazers_count: 7 * (index + 1),
  html_url: `https://github.example/${OWNER}/${name}`,
  updated_at: at(20 + index),
}));

export const ISSUES = [
  {
    number: 1,
    title: 'Checkout button is hidden on small screens',
    body: 'Seen on phones narrower than 360 px.',
    state: 'open',
    user: { login: 'ada' },
    labels: [{ name: 'bug' }],
    created_at: at(11),
  },
  {
    number: 2,
    title: 'Write down how to rotate the signing key',
    body: 'We did it twice and forgot it twice.',
    state: 'open',
    user: { login: 'ben' },
    labels: [{ name: 'docs' }],
    created_at: at(12),
  },
  {
    number: 3,
    title: 'Search ignores accents',
    body: 'cafe does not find café.',
    state: 'closed',
    user: { login: 'chloe' },
    labels: [{ name: 'bug' }],
    created_at: at(6),
  },
];

export const PULL_REQUESTS = [
  {
    number: 4,
    title: 'Show the checkout button everywhere',
    state: 'open',
    draft: false,
    user: { login: 'ada' },
    head: { ref: 'checkout-button' },
    base: { ref: 'main' },
    created_at: at(13),
  },
];

export const PROJECTS = REPOSITORIES.map(({ id, name, description }) => ({
  id,
  name,
  path_with_namespace: `${OWNER}/${name}`,
  description,
  default_branch: 'main',
  visibility: 'private',
}));

export const CHANNELS = ['general', 'support', 'releases'].map((name, index) => ({
  id: `C00${index + 1}`,
  name,
  is_channel: true,
  is_private: false,
  num_members: people.length,
  topic: { value: `Everything about ${name}` },
}));
export const MESSAGES = [
  { type: 'message', user: 'U001', text: 'Release 42 is out.', ts: '1768300000.000100' },
  { type: 'message', user: 'U002', text: 'Two customers asked about accents in search.', ts: '1768290000.000100' },
];
export const SLACK_USERS = people.map(({ key, name, email }, index) => ({
  id: `U00${index + 1}`,
  name: key,
  real_name: name,
  profile: { email },
}));

export const PAGES = ['Onboarding', 'January incident review', 'Roadmap'].map((title, index) => ({
  object: 'page',
  id: `00000000-0000-4000-8000-00000000000${index + 1}`,
  last_edited_time: at(15 + index),
  properties: { title: { title: [{ plain_text: title }] } },
}));

export const CALENDARS = [
  { id: 'primary', summary: people[0]?.email, primary: true, timeZone: 'UTC' },
  { id: 'team', summary: 'Team', timeZone: 'UTC' },
];
export const EVENTS = [
  {
    id: 'ev1',
    status: 'confirmed',
    summary: 'Weekly planning',
    start: { dateTime: at(26, 9) },
    end: { dateTime: at(26, 10) },
    attendees: people.map(({ email }) => ({ email })),
  },
  {
    id: 'ev2',
    status: 'confirmed',
    summary: 'Customer call: Nordwind',
    start: { dateTime: at(27, 13) },
    end: { dateTime: at(27, 14) },
  },
];

export const MAILS = ['Invoice 2026-014', 'Re: accents in search', 'Welcome to Acme'].map((subject, index) => ({
  id: `m${index + 1}`,
  threadId: `t${index + 1}`,
  snippet: `${subject}: thank you for your message.`,
  labelIds: ['INBOX'],
  payload: {
    headers: [
      { name: 'Subject', value: subject },
      { name: 'From', value: people[index]?.email },
    ],
  },
}));

export const FILES = ['Price list', 'Roadmap', 'Logo'].map((name, index) => ({
  id: `file${index + 1}`,
  name,
  mimeType: index === 2 ? 'image/svg+xml' : 'application/vnd.google-apps.document',
  modifiedTime: at(18 + index),
}));

export const CUSTOMERS = ['Nordwind', 'Café Lumière', 'Harbor Books'].map((name, index) => ({
  id: `cus_demo${index + 1}`,
  object: 'customer',
  name,
  email: `office@customer${index + 1}.example`,
  balance: 0,
  created: 1_767_000_000 - index * 86_400,
}));
export const INVOICES = CUSTOMERS.map(({ id }, index) => ({
  id: `in_demo${index + 1}`,
  object: 'invoice',
  customer: id,
  status: index === 0 ? 'open' : 'paid',
  currency: 'eur',
  amount_due: 12_500 * (index + 1),
}));

export const CONTACTS = people.map(({ name, email }, index) => ({
  id: String(101 + index),
  properties: { firstname: name.split(' ')[0], lastname: name.split(' ')[1], email },
  createdAt: at(3 + index),
}));
export const COMPANIES = CUSTOMERS.map(({ name }, index) => ({
  id: String(201 + index),
  properties: { name, domain: `customer${index + 1}.example` },
}));

export const TASKS = ['Renew the domain', 'Answer Nordwind'].map((name, index) => ({
  gid: String(301 + index),
  name,
  completed: false,
  resource_type: 'task',
}));
