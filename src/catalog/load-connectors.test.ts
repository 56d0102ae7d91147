import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isCredentialOnly } from './auth-modes.ts';
import type { ToolSurface } from './connector-types.ts';
import { findConnector, findTool } from './find-connector.ts';
import { buildCatalog, CatalogError, loadConnectors } from './load-connectors.ts';

// The whole catalogue, written out: a connector or tool that appears or goes away is a decision, not a slip.
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
const idsOf = (surface: ToolSurface): string[] =>
  catalog.connectors.filter((connector) => connector.surface === surface).map(({ id }) => id);

describe('the catalogue', () => {
  it('has 63 connectors and 91 static tools, 3 of them writes', () => {
    expect(catalog.counts).toEqual({
      connectors: 63,
      tools: 91,
      writes: 3,
      surfaces: {
        'typed-proxy': 18,
        'compatibility-read': 39,
        'provider-mcp': 2,
        'resource-aware-get': 2,
        'command-auth': 2,
      },
    });
  });

  it('has exactly the connectors it should, each on its surface', () => {
    expect(idsOf('typed-proxy')).toEqual(Object.keys(TYPED));
    expect(idsOf('compatibility-read')).toEqual(COMPATIBILITY_READ);
    expect(idsOf('provider-mcp')).toEqual(['linear-mcp', 'notion-mcp']);
    expect(idsOf('resource-aware-get')).toEqual(['confluence', 'jira']);
    expect(idsOf('command-auth')).toEqual(['aws', 'databricks']);
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
    expect(reading).toHaveLength(41);
    expect(asItShould).toEqual(reading);
  });

  it('has three writes and no other', () => {
    const writes = catalog.connectors.flatMap(({ id, tools }) =>
      tools.filter(({ access }) => access === 'write').map(({ name }) => `${id} ${name}`),
    );
    expect(writes).toEqual(['asana create-task', 'github create-issue', 'slack post-message']);
  });

  it('knows its code hosts, and each repository tool of theirs names a repository', () => {
    expect(catalog.connectors.filter(({ codeHost }) => codeHost).map(({ id }) => id)).toEqual([
      'bitbucket',
      'github',
      'gitlab',
    ]);
    const withoutOne = (id: string, parameters: string) =>
      typedTools(id)
        .filter(({ path }) => !path.includes(parameters))
        .map(({ name }) => name);
    expect(withoutOne('github', '/repos/{owner}/{repo}')).toEqual(['list-repositories']);
    expect(withoutOne('gitlab', '/projects/{id}')).toEqual(['list-projects']);
  });

  it('creates integrations for credential-only connectors alone', () => {
    expect(catalog.connectors.filter(isCredentialOnly).map(({ id }) => id)).toEqual([
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
    const renamed = catalog.connectors
      .filter(({ id, auth }) => id !== auth.provider)
      .map(({ id, auth }) => [id, auth.provider]);
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

  const box = { id: 'box', name: 'Box', category: 'documents', auth: { mode: 'OAUTH2', provider: 'box' } };
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
