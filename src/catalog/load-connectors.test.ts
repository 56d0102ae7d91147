import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isCredentialOnly } from './auth-modes.ts';
import type { ToolSurface } from './connector-types.ts';
import { findConnector, findTool } from './find-connector.ts';
import { buildCatalog, CatalogError, loadConnectors } from './load-connectors.ts';

// The connectors of the specification, so that none goes away by a slip. Others may be added: they and their counts
// appear in docs/reference/connectors.md.
const TYPED = {
  airtable: ['list-bases', 'list-records', 'get-record'],
  asana: ['list-workspaces', 'list-tasks', 'create-task'],
  calendly: ['get-current-user', 'list-scheduled-events'],
  figma: ['get-file', 'list-comments'],
  github: ['list-repositories', 'get-repository', 'list-issues', 'get-issue', 'list-pull-requests', 'create-issue'],
  gitlab: ['list-projects', 'get-project', 'list-issues', 'list-merge-requests'],
  'google-calendar': ['list-calendars', 'list-events', 'get-event'],
  'google-cloud': ['list-projects'],
  'google-docs': ['get-document'],
  'google-drive': ['list-files', 'get-file'],
  'google-mail': ['list-messages', 'get-message', 'list-labels'],
  'google-sheet': ['get-spreadsheet', 'get-values'],
  hubspot: ['list-contacts', 'get-contact', 'list-companies'],
  notion: ['search', 'get-page', 'list-block-children'],
  pagerduty: ['list-incidents', 'get-incident'],
  sentry: ['list-projects', 'list-issues', 'get-issue'],
  slack: ['list-channels', 'get-channel-history', 'list-users', 'post-message'],
  'stripe-api-key': ['list-customers', 'list-invoices', 'get-balance'],
};
const COMPATIBILITY_READ =
  'amplitude attio bamboohr bitbucket box clickup close cloudflare contentful datadog discord freshdesk gong greenhouse intercom lever mailchimp microsoft-teams miro neon one-drive outlook pipedrive posthog quickbooks ramp salesforce sendgrid sharepoint-online shopify trello twilio typeform vercel webflow wordpress xero zendesk zoom'.split(
    ' ',
  );

const catalog = loadConnectors();
const SPECIFIED: Readonly<Record<ToolSurface, readonly string[]>> = {
  'typed-proxy': Object.keys(TYPED),
  'compatibility-read': COMPATIBILITY_READ,
  'provider-mcp': ['linear-mcp', 'notion-mcp'],
  'resource-aware-get': ['confluence', 'jira'],
  'command-auth': ['aws', 'databricks'],
};
const known = new Set(Object.values(SPECIFIED).flat());
const specified = catalog.connectors.filter(({ id }) => known.has(id));

describe('the catalogue', () => {
  it('has the 63 specified connectors, each on its surface, with 91 static tools', () => {
    expect(specified).toHaveLength(63);
    expect(specified.flatMap((connector): readonly unknown[] => connector.tools)).toHaveLength(91);
    for (const [surface, ids] of Object.entries(SPECIFIED))
      expect(specified.filter((connector) => connector.surface === surface).map(({ id }) => id)).toEqual(ids);
  });

  it('counts what it has', () => {
    const { connectors, tools, writes, surfaces } = catalog.counts;
    expect(connectors).toBe(catalog.connectors.length);
    expect(Object.values(surfaces).reduce((sum, count) => sum + count)).toBe(connectors);
    expect(surfaces['provider-mcp']).toBe(
      catalog.connectors.filter(({ surface }) => surface === 'provider-mcp').length,
    );
    expect([tools, writes]).toEqual(
      [/read|write/, /write/].map(
        (access) =>
          catalog.connectors.flatMap((connector) => connector.tools.filter((tool) => access.test(tool.access))).length,
      ),
    );
  });

  it.each(Object.entries(TYPED))('publishes the reviewed tools of %s', (id, tools) => {
    expect(findConnector(catalog, id)?.tools.map(({ name }) => name)).toEqual(tools);
  });

  it('gives read-provider-resource, with hints, to every connector without typed tools', () => {
    const reading = catalog.connectors.filter(
      ({ surface }) => surface === 'compatibility-read' || surface === 'resource-aware-get',
    );
    const asItShould = reading.filter(
      ({ tools: [tool, ...more] }) =>
        more.length === 0 &&
        tool?.name === 'read-provider-resource' &&
        tool.access === 'read' &&
        tool.description.includes(', such as /'),
    );
    expect(reading.length).toBeGreaterThanOrEqual(41);
    expect(asItShould).toEqual(reading);
  });

  it('has three writes among the specified tools', () => {
    const writes = specified.flatMap(({ id, tools }) =>
      tools.filter(({ access }) => access === 'write').map(({ name }) => `${id} ${name}`),
    );
    expect(writes).toEqual(['asana create-task', 'github create-issue', 'slack post-message']);
  });

  it('knows its code hosts, and each repository tool of theirs names a repository', () => {
    expect(specified.filter(({ codeHost }) => codeHost).map(({ id }) => id)).toEqual(['bitbucket', 'github', 'gitlab']);
    const withoutOne = (id: string, parameters: string) =>
      typedTools(id)
        .filter(({ path }) => !path.includes(parameters))
        .map(({ name }) => name);
    expect(withoutOne('github', '/repos/{owner}/{repo}')).toEqual(['list-repositories']);
    expect(withoutOne('gitlab', '/projects/{id}')).toEqual(['list-projects']);
  });

  it('creates integrations for credential-only connectors alone', () => {
    expect(specified.filter(isCredentialOnly).map(({ id }) => id)).toEqual([
      'amplitude',
      'aws',
      'cloudflare',
      'datadog',
      'freshdesk',
      'gong',
      'neon',
      'posthog',
      'sendgrid',
      'sentry',
      'stripe-api-key',
      'twilio',
      'vercel',
    ]);
  });

  it("names the integration provider's own id where it differs", () => {
    const renamed = specified.filter(({ id, auth }) => id !== auth.provider).map(({ id, auth }) => [id, auth.provider]);
    expect(renamed).toEqual([
      ['aws', 'aws-iam'],
      ['databricks', 'databricks-workspace'],
      ['google-cloud', 'google'],
    ]);
  });

  it('keeps the cloud connector with tools typed-proxy and command-backed', () => {
    const connector = findConnector(catalog, 'google-cloud');
    expect(connector).toMatchObject({ surface: 'typed-proxy', command: { cli: 'gcloud' } });
    expect(typedTools('google-cloud')[0]).toMatchObject({
      method: 'GET',
      path: '/v3/projects:search',
      baseUrl: 'https://cloudresourcemanager.googleapis.com',
    });
  });

  it('classes a search by POST as a read', () => {
    expect(typedTools('notion').find(({ name }) => name === 'search')).toMatchObject({
      method: 'POST',
      access: 'read',
    });
  });

  it('is frozen to the last leaf', () => {
    const thaw = (value: unknown): boolean =>
      typeof value === 'object' && value !== null && (!Object.isFrozen(value) || Object.values(value).some(thaw));
    expect(thaw(catalog)).toBe(false);
  });

  it('finds nothing under names that every object has', () => {
    expect(findConnector(catalog, '__proto__')).toBeUndefined();
    expect(findConnector(catalog, 'constructor')).toBeUndefined();
    const github = findConnector(catalog, 'github');
    expect(github && findTool(github, 'toString')).toBeUndefined();
    expect(github && findTool(github, 'get-issue')?.name).toBe('get-issue');
  });

  function typedTools(id: string) {
    const connector = findConnector(catalog, id);
    if (connector?.surface !== 'typed-proxy') throw new Error(`${id} has no typed tools`);
    return connector.tools;
  }
});

describe('loading', () => {
  const directory = mkdtempSync(join(tmpdir(), 'connectors-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const texts = { purpose: 'Find and read files.', reads: 'every file of the account', words: ['files'] };
  const box = {
    id: 'box',
    name: 'Box',
    category: 'documents',
    ...texts,
    german: texts,
    auth: { mode: 'OAUTH2', provider: 'box' },
  };
  const asFile = (manifest: { id: string; name: string }) => ({
    file: `${manifest.id}.json`,
    text: JSON.stringify(manifest),
  });
  const miro = { ...box, id: 'miro', name: 'Miro' };

  it('gives the same version for the same content and another for another', () => {
    expect(loadConnectors().version).toBe(catalog.version);
    expect(catalog.version).toMatch(/^[0-9a-f]{16}$/);
    expect(buildCatalog([asFile(miro), asFile(box)]).version).toBe(buildCatalog([asFile(box), asFile(miro)]).version);
    expect(buildCatalog([asFile({ ...box, name: 'Boxes' })]).version).not.toBe(buildCatalog([asFile(box)]).version);
  });

  it('refuses the whole catalogue and reports all faults of all files at once', () => {
    writeFileSync(join(directory, 'box.json'), JSON.stringify({ ...box, category: 'stuff', surprise: 1 }));
    writeFileSync(join(directory, 'broken.json'), '{');
    writeFileSync(join(directory, 'list.json'), '[]');
    writeFileSync(join(directory, 'other.json'), JSON.stringify({ ...box, auth: { mode: 'MAGIC', provider: 'box' } }));
    writeFileSync(join(directory, 'miro.json'), JSON.stringify(miro));
    const error = catchError(() => loadConnectors(directory));
    expect(error.faults.map(({ file, rule }) => [file, rule])).toEqual([
      ['box.json', 'manifest-keys'],
      ['box.json', 'category'],
      ['broken.json', 'json'],
      ['list.json', 'json'],
      ['other.json', 'file-name'],
      ['other.json', 'auth'],
      ['other.json', 'unique-id'],
    ]);
    for (const { file, rule, message } of error.faults)
      expect(error.message).toMatch(new RegExp(`${file}: ${rule} \\(.+\\): ${message.slice(0, 10)}`));
  });

  function catchError(run: () => unknown): CatalogError {
    try {
      run();
    } catch (error) {
      if (error instanceof CatalogError) return error;
      throw error;
    }
    throw new Error('the catalogue loaded');
  }
});
