// Every page of the app as an owner, an admin and a member meet it: it opens, it is theirs to see or says whose it is,
// and nothing breaks on the way.
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createOrganization,
  createWorkspace,
  describeInBrowser,
  heading,
  openWebApp,
  type OrganizationUnderTest,
  type Visitor,
  type WebAppUnderTest,
} from '../support/browser/browser.ts';
import { FOR_ALL, SETTINGS } from '../support/page-stops.ts';

const DOOR = 'Only owners and admins can open organization settings';
const ROLES = ['owner', 'admin', 'member'] as const;

describeInBrowser('every page', () => {
  let app: WebAppUnderTest;
  let organization: OrganizationUnderTest;
  const people = {} as Record<(typeof ROLES)[number], Visitor>;
  beforeAll(async () => {
    app = await openWebApp({ integrations: true });
    people.owner = await app.visitSignedIn(app.newPerson('Olga Owner'));
    organization = await createOrganization(people.owner, 'Roles');
    const lab = await createWorkspace(people.owner, organization, 'Lab');
    for (const role of ['admin', 'member'] as const) {
      const person = app.newPerson(`Riley ${role}`);
      people[role] = await app.visitSignedIn(person);
      const { user } = await people[role].call<{ user: { id: string } }>('GET', '/api/me');
      await people.owner.call('POST', `/api/organizations/${organization.id}/members`, { email: person.email, role });
      await people.owner.call('POST', `/api/workspaces/${lab.id}/members`, { user: user.id, role: 'member' });
    }
  });
  afterAll(() => app?.close());

  it.each(ROLES)('as %s', async (role) => {
    const { page } = people[role];
    const broken: string[] = [];
    page.on('pageerror', (error) => broken.push(`${page.url()}: ${String(error)}`));
    page.on('response', (response) => {
      if (response.status() >= 500) broken.push(`${response.status()} ${response.url()}`);
    });
    for (const [path, title] of Object.entries(FOR_ALL)) {
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}org=${organization.slug}`);
      await heading(page, title);
    }
    for (const [name, title] of Object.entries(SETTINGS)) {
      await page.goto(`/organization/settings/${name}?org=${organization.slug}`);
      if (role === 'member') await page.getByText(DOOR).waitFor();
      else await heading(page, title);
    }
    expect(broken).toEqual([]);
  });
});
