// What each app is for and what it can read once it is connected, for the people who connect it. A test requires a row
// for every connector.

export interface ConnectorNotes {
  /** One sentence: what the app is used for. */
  readonly purpose: string;
  /** What can be read through a connection. Completes "Through this connection, people can read …". */
  readonly reads: string;
  /** Usually holds one person's own data, such as a mailbox or a drive. */
  readonly personal?: true;
}

export const CONNECTOR_NOTES: Readonly<Record<string, ConnectorNotes>> = {
  airtable: {
    purpose: 'Look up records in Airtable bases.',
    reads: 'the bases that the account can open and their records',
  },
  amplitude: { purpose: 'Check product analytics and charts.', reads: 'events, users and charts of the project' },
  asana: {
    purpose: 'Follow tasks and projects, and create tasks.',
    reads: 'the workspaces, projects and tasks that the account can open',
  },
  attio: { purpose: 'Look up people, companies and deals.', reads: 'records, lists and tasks of the CRM' },
  aws: {
    purpose: 'Let background runs use the AWS command line.',
    reads: 'whatever the imported profile or access keys allow, through the aws command line',
  },
  bamboohr: {
    purpose: 'Look up employees and time off.',
    reads: 'the employee directory, employee records and time off',
  },
  bitbucket: {
    purpose: 'Read repositories and pull requests.',
    reads: 'the repositories that the account can open, private ones included, and their pull requests',
  },
  box: {
    purpose: 'Find and read files stored in Box.',
    reads: 'every file and folder that the account can open',
    personal: true,
  },
  calendly: {
    purpose: 'See booked meetings.',
    reads: 'the profile and booked meetings of the account, with the names and addresses of invitees',
    personal: true,
  },
  clickup: {
    purpose: 'Follow tasks, lists and spaces.',
    reads: 'the spaces, lists and tasks that the account can open',
  },
  close: { purpose: 'Look up leads and opportunities.', reads: 'leads, contacts and opportunities of the CRM' },
  cloudflare: { purpose: 'Inspect zones and DNS records.', reads: 'accounts, zones and DNS records' },
  confluence: {
    purpose: 'Search and read wiki pages.',
    reads: 'the spaces and pages that the account can open',
  },
  contentful: { purpose: 'Read entries and content types.', reads: 'spaces, entries and content types' },
  databricks: {
    purpose: 'Let background runs use the Databricks command line.',
    reads: 'whatever the imported profile allows, through the databricks command line',
  },
  datadog: { purpose: 'Check monitors, dashboards and metrics.', reads: 'monitors, dashboards and metrics' },
  discord: {
    purpose: 'See which servers an account is in.',
    reads: 'the profile of the account and the servers it is in',
    personal: true,
  },
  figma: {
    purpose: 'Read designs and their comments.',
    reads: 'the files that the account can open and their comments',
  },
  freshdesk: {
    purpose: 'Look up support tickets and contacts.',
    reads: 'tickets, conversations with customers, and contacts',
  },
  github: {
    purpose: 'Read repositories, issues and pull requests, and open issues.',
    reads: 'the repositories that the account can open, private ones included, with their issues and pull requests',
  },
  gitlab: {
    purpose: 'Read projects, issues and merge requests.',
    reads: 'the projects that the account can open, private ones included, with their issues and merge requests',
  },
  gong: { purpose: 'Look up recorded sales calls.', reads: 'calls and users of the Gong account' },
  'google-calendar': {
    purpose: 'See calendars and events.',
    reads: 'all calendars of the account and their events, with guests and descriptions',
    personal: true,
  },
  'google-cloud': {
    purpose: 'List cloud projects, and let background runs use gcloud.',
    reads: 'the projects that the account can open, and in runs whatever its credentials allow',
  },
  'google-docs': {
    purpose: 'Read documents.',
    reads: 'every document that the account can open',
    personal: true,
  },
  'google-drive': {
    purpose: 'Find files and see what they are.',
    reads: 'the name, owner and details of every file that the account can open, shared ones included',
    personal: true,
  },
  'google-mail': {
    purpose: 'Search and read email.',
    reads: 'all messages and labels of the mailbox',
    personal: true,
  },
  'google-sheet': {
    purpose: 'Read spreadsheets.',
    reads: 'every spreadsheet that the account can open',
    personal: true,
  },
  greenhouse: { purpose: 'Follow jobs and candidates.', reads: 'jobs and candidates, with their personal details' },
  hubspot: { purpose: 'Look up contacts and companies.', reads: 'contacts and companies of the CRM' },
  intercom: { purpose: 'Read conversations with customers.', reads: 'conversations with customers, and contacts' },
  jira: { purpose: 'Search and read issues and projects.', reads: 'the projects and issues that the account can open' },
  lever: { purpose: 'Follow candidates and job postings.', reads: 'candidates, postings and users' },
  'linear-mcp': {
    purpose: 'Work with issues and projects through Linear’s own MCP server.',
    reads: 'the issues, projects and teams that the account can open',
  },
  mailchimp: { purpose: 'Check audiences and campaigns.', reads: 'audiences with their members, and campaigns' },
  'microsoft-teams': {
    purpose: 'Read teams, channels and their messages.',
    reads: 'the teams that the account is in, their channels and messages',
  },
  miro: { purpose: 'Read boards and what is on them.', reads: 'the boards that the account can open' },
  neon: { purpose: 'Inspect Postgres projects and branches.', reads: 'projects, branches and the account’s profile' },
  notion: {
    purpose: 'Search and read pages.',
    reads: 'the pages and databases that were shared with the connection in Notion',
  },
  'notion-mcp': {
    purpose: 'Work with pages through Notion’s own MCP server.',
    reads: 'the pages and databases that the account can open',
  },
  'one-drive': {
    purpose: 'Find files in a personal drive.',
    reads: 'every file and folder of the drive',
    personal: true,
  },
  outlook: {
    purpose: 'Read email and calendar.',
    reads: 'all messages and folders of the mailbox, and its calendar',
    personal: true,
  },
  pagerduty: { purpose: 'Check incidents.', reads: 'incidents and their details' },
  pipedrive: { purpose: 'Look up deals and people.', reads: 'deals, people and users of the CRM' },
  posthog: { purpose: 'Check product insights and feature flags.', reads: 'projects, insights and feature flags' },
  quickbooks: {
    purpose: 'Check accounting figures and reports.',
    reads: 'the company’s accounting records and reports',
  },
  ramp: { purpose: 'Check company spending.', reads: 'transactions, cards and users of the company' },
  salesforce: { purpose: 'Query accounts, contacts and deals.', reads: 'the CRM records that the account can open' },
  sendgrid: { purpose: 'Check email delivery and templates.', reads: 'templates, bounced addresses and statistics' },
  sentry: { purpose: 'Check errors of your software.', reads: 'projects, and their errors with stack traces' },
  'sharepoint-online': {
    purpose: 'Find lists and files of SharePoint sites.',
    reads: 'the sites that the account can open, their lists and files',
  },
  shopify: { purpose: 'Check orders and products.', reads: 'orders with customer details, and products of the shop' },
  slack: {
    purpose: 'Read channels, and post messages.',
    reads: 'the channels that the connection is in, their messages, and the people of the workspace',
  },
  'stripe-api-key': {
    purpose: 'Check customers, invoices and the balance.',
    reads: 'customers, invoices and the balance of the Stripe account',
  },
  trello: { purpose: 'Follow boards and cards.', reads: 'the boards that the account can open and their cards' },
  twilio: { purpose: 'Check sent messages.', reads: 'the account and its messages, with phone numbers and text' },
  typeform: { purpose: 'Read forms and their responses.', reads: 'forms and everything that people answered in them' },
  vercel: { purpose: 'Check projects and deployments.', reads: 'projects and deployments' },
  webflow: { purpose: 'Read sites and their content.', reads: 'sites, collections and their items' },
  wordpress: { purpose: 'Read sites and posts.', reads: 'the sites of the account and their posts, drafts included' },
  xero: { purpose: 'Check invoices.', reads: 'the connected organizations and their invoices' },
  zendesk: {
    purpose: 'Look up support tickets.',
    reads: 'tickets and their comments, private ones included',
  },
  zoom: {
    purpose: 'See scheduled meetings.',
    reads: 'the profile of the account and its meetings',
    personal: true,
  },
};
