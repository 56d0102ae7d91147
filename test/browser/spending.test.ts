// Spending as owners and members meet it: who spent what, caps and their warnings, the log of requests, tokens with limits.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { faultsOf } from '../support/browser/axe.ts';
import { describeInBrowser, heading, type Visitor, openAsOwner, type OwnersApp } from '../support/browser/browser.ts';

const SPENDING = '/organization/settings/spending';

describeInBrowser('spending', () => {
  let { app, owner, organization } = {} as OwnersApp;
  let member: Visitor;
  let memberId: string;
  let requestId: string;

  const chat = async (who: Visitor, name: string): Promise<{ status: number; requestId: string }> => {
    const { token } = await who.call<{ token: string }>('POST', '/api/tokens', {
      name,
      organization: organization.id,
      scopes: ['chat'],
    });
    const answer = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'openai/gpt-5-mini', messages: [{ role: 'user', content: 'hello' }] }),
    });
    await answer.text();
    return { status: answer.status, requestId: answer.headers.get('x-request-id') ?? '' };
  };

  openAsOwner('Olive Owner', 'Spending Ltd', async (at) => {
    ({ app, owner, organization } = at);
    const person = app.newPerson('Max Member');
    member = await app.visitSignedIn(person);
    await owner.call('POST', `/api/organizations/${organization.id}/members`, { email: person.email, role: 'member' });
    memberId = (await member.call<{ user: { id: string } }>('GET', '/api/me')).user.id;
    await chat(owner, 'nightly report');
    ({ requestId } = await chat(member, 'laptop'));
  });

  it('shows an owner who spent what, by each subject, and saves it as CSV', async () => {
    const { page } = owner;
    await page.goto(`${SPENDING}?org=${organization.slug}`);
    await heading(page, 'Spending');
    await page.getByRole('cell', { name: 'Max Member' }).waitFor();
    await page.getByRole('cell', { name: 'Olive Owner' }).waitFor();
    await page.getByText('Token', { exact: true }).click();
    await page.getByRole('cell', { name: 'nightly report' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const csv = await readFile(await download.path(), 'utf8');
    expect(csv).toMatch(/^key,name,requests,inputTokens,outputTokens,cost,unpriced,served\r\n/);
    expect(csv).toContain('laptop');
  });

  it('finds a request by the ID that its answer carried', async () => {
    const { page } = owner;
    await page.goto(`${SPENDING}?org=${organization.slug}&tab=requests`);
    await page.getByLabel('Find by request ID').fill(requestId);
    await page.getByRole('cell', { name: requestId }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
  });

  it('an owner sets a cap, the member sees what is left, is warned and refused, and it is removed again', async () => {
    const { page } = owner;
    await page.goto(`${SPENDING}?org=${organization.slug}&tab=caps`);
    await page.getByRole('button', { name: 'Set a cap' }).click();
    await page.getByRole('combobox', { name: 'Member' }).click();
    await page.getByRole('option', { name: 'Max Member' }).click();
    await page.getByLabel('US dollars per month').fill('25');
    await page.getByRole('button', { name: 'Save cap' }).click();
    await page.getByText('Max Member may spend $25.00 per month.').waitFor();

    const mine = member.page;
    await mine.goto(`/usage?org=${organization.slug}`);
    await heading(mine, 'My usage');
    await mine.getByText('left of $25.00').waitFor();
    await expect.poll(() => mine.getByText('monthly cap').count()).toBe(0);

    // Live: the tab of the member hears of the change.
    await owner.call('PUT', `/api/organizations/${organization.id}/caps`, {
      subject: { kind: 'member', id: memberId },
      monthlyUsd: 0,
    });
    await mine.getByText('The monthly cap for you is reached.').waitFor();
    expect((await chat(member, 'refused')).status).toBe(429);

    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The cap of Max Member is removed.').waitFor();
    await mine.getByText('No cap applies to you.').waitFor();
  });

  it('a token is made with models and a cap, shows its last use, and is rotated', async () => {
    const { page } = member;
    await page.goto(`/workspaces/default/mcp-gateway?org=${organization.slug}&tab=tokens`);
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('build machine');
    await page.getByPlaceholder('openai/gpt-5-*').fill('openai/*');
    await page.keyboard.press('Enter');
    await page.getByLabel('Monthly cap in US dollars').fill('2.5');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'build machine' });
    await row.getByText('Only for openai/* · Up to $2.5 per month').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'laptop' }).getByText('Last used').waitFor();
    await row.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('Replaced, still works').waitFor();
    await expect.poll(() => row.count()).toBe(2);
  });

  it('has no accessibility faults, in light and dark, and fits a narrow screen', async () => {
    await owner.call('PUT', `/api/organizations/${organization.id}/caps`, {
      subject: { kind: 'member', id: memberId },
      monthlyUsd: 5,
    });
    const at = `org=${organization.slug}`;
    expect(
      await faultsOf(owner.page, [
        { path: `${SPENDING}?${at}`, heading: 'Spending' },
        { path: `${SPENDING}?${at}&tab=caps`, heading: 'Spending' },
        { path: `${SPENDING}?${at}&tab=requests`, heading: 'Spending' },
        { path: `/usage?${at}`, heading: 'My usage' },
      ]),
    ).toEqual([]);
    expect(await faultsOf(member.page, [{ path: `/usage?${at}`, heading: 'My usage' }])).toEqual([]);
  });
});
