// The app in German and in English: chosen by the browser, by the person, kept over a reload; money and dates as the
// language writes them; nothing overflows, though German is longer.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultsOf, type Stop } from '../support/browser/axe.ts';
import {
  createOrganization,
  describeInBrowser,
  heading,
  openWebApp,
  type OrganizationUnderTest,
  type Person,
  type Visitor,
  type WebAppUnderTest,
} from '../support/browser/browser.ts';

const GERMAN = { locale: 'de-DE' } as const;

describeInBrowser('languages', () => {
  let app: WebAppUnderTest;
  let owner: Visitor;
  let person: Person;
  let organization: OrganizationUnderTest;

  beforeAll(async () => {
    app = await openWebApp();
    person = app.newPerson('Greta Gruber');
    owner = await app.visitSignedIn(person, GERMAN);
    organization = await createOrganization(owner, 'Grün GmbH');
  });
  afterAll(() => app?.close());

  const language = (visitor: Visitor): Promise<string> =>
    visitor.page.locator('html').getAttribute('lang').then(String);

  it('greets a German browser in German, from signing up to the first answer', async () => {
    const visitor = await app.visit(GERMAN);
    const { page } = visitor;
    const newcomer = app.newPerson('Hans Neu');
    await page.goto('/sign-up');
    await heading(page, 'Konto erstellen');
    await expect.poll(() => language(visitor)).toBe('de');
    await page.getByLabel('Name').fill(newcomer.name);
    await page.getByLabel('E-Mail').fill(newcomer.email);
    await page.getByLabel('Passwort', { exact: true }).fill(newcomer.password);
    await page.getByRole('button', { name: 'Konto anlegen' }).click();
    await heading(page, 'Organisation erstellen');
    await page.getByLabel('Name der Organisation').fill('Neu GmbH');
    await page.getByRole('button', { name: 'Organisation anlegen' }).click();
    await page.getByLabel('Nachricht', { exact: true }).fill('hallo');
    await page.getByRole('button', { name: 'Senden' }).click();
    await page.getByRole('button', { name: 'Noch einmal versuchen' }).waitFor();
    await page.getByText('Gerade eben').first().waitFor();
    await visitor.context.close();
  });

  it('writes money and dates as German does', async () => {
    const { page } = owner;
    const { token } = await owner.call<{ token: string }>('POST', '/api/tokens', {
      name: 'bericht',
      organization: organization.id,
      scopes: ['chat'],
    });
    await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'openai/gpt-5-mini', messages: [{ role: 'user', content: 'hallo' }] }),
    }).then((answer) => answer.text());
    await page.goto(`/organization/settings/spending?org=${organization.slug}`);
    await heading(page, 'Ausgaben');
    await expect.poll(() => page.getByRole('cell', { name: /^0,0\d+\s\$$/ }).count()).toBeGreaterThan(0);
    await expect.poll(() => page.locator('main').innerText()).not.toMatch(/\$\d/);
    await page.goto(`/organization/settings/plan?org=${organization.slug}`);
    await heading(page, 'Tarif und Nutzung');
    await page
      .getByText(/\d,\d\d\s\$ von \d+,\d\d\s\$ übrig/)
      .first()
      .waitFor();
  });

  it('is changed on the account page, kept over a reload, and changed back', async () => {
    const { page } = owner;
    await page.goto('/account');
    await heading(page, 'Konto');
    await page.getByRole('radiogroup', { name: 'Sprache der App' }).getByText('English').click();
    await heading(page, 'Account');
    await expect.poll(() => language(owner)).toBe('en');
    await page.goto('/chat');
    await heading(page, 'New chat');
    await page.goto('/account');
    await page.getByRole('radiogroup', { name: 'Language of the app' }).getByText('Deutsch').click();
    await heading(page, 'Konto');
    await expect.poll(() => language(owner)).toBe('de');
  });

  it('is offered before signing in, and an error of the server is said in it', async () => {
    const visitor = await app.visit();
    const { page } = visitor;
    await page.goto('/sign-in');
    await heading(page, 'Sign in');
    await page.getByRole('radiogroup', { name: 'Language of the app' }).getByText('Deutsch').click();
    await heading(page, 'Anmelden');
    await page.getByLabel('E-Mail').fill('niemand@example.test');
    await page.getByLabel('Passwort', { exact: true }).fill('falsches Passwort');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByText('Die E-Mail-Adresse oder das Passwort ist falsch.').waitFor();
    await visitor.context.close();
  });

  const OUTSIDE: readonly Stop[] = [
    { path: '/sign-in', heading: 'Anmelden' },
    { path: '/sign-up', heading: 'Konto erstellen' },
    { path: '/connect-account', heading: 'Konto verbinden' },
  ];
  const INSIDE: readonly Stop[] = [
    { path: '/chat', heading: 'Neuer Chat' },
    { path: '/runs', heading: 'Läufe' },
    { path: '/recipes', heading: 'Rezepte' },
    { path: '/integrations', heading: 'Integrationen' },
    { path: '/receipts', heading: 'Belege' },
    { path: '/workspaces', heading: 'Arbeitsbereiche' },
    { path: '/workspaces/default', heading: 'Default' },
    { path: '/workspaces/default/mcp-gateway', heading: 'MCP-Gateway' },
    { path: '/usage', heading: 'Meine Nutzung' },
    { path: '/account', heading: 'Konto' },
  ];
  const SETTINGS: readonly Stop[] = [
    { path: '/organization/settings/general', heading: 'Allgemein' },
    { path: '/organization/settings/members', heading: 'Mitglieder' },
    { path: '/organization/settings/byok', heading: 'BYOK' },
    { path: '/organization/settings/models', heading: 'Modelle' },
    { path: '/organization/settings/guardrails', heading: 'Leitplanken' },
    { path: '/organization/settings/policies', heading: 'Richtlinien' },
    { path: '/organization/settings/tools', heading: 'Tools' },
    { path: '/organization/settings/plan', heading: 'Tarif und Nutzung' },
    { path: '/organization/settings/spending', heading: 'Ausgaben' },
  ];

  it('has no faults in German before signing in', async () => {
    const visitor = await app.visit(GERMAN);
    expect(await faultsOf(visitor.page, OUTSIDE)).toEqual([]);
    await visitor.context.close();
  });

  it.each([
    ['the app', INSIDE],
    ['the settings', SETTINGS],
  ])('has no faults in German in %s, in light and dark and on a narrow screen', async (_, stops) => {
    expect(await faultsOf(owner.page, stops)).toEqual([]);
  });
});
