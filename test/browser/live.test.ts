// What one person changes appears on the pages of the others, without a reload, for as long as they may see it.
import { expect, it } from 'vitest';
import {
  createWorkspace,
  describeInBrowser,
  heading,
  type Visitor,
  openAsOwner,
  type OwnersApp,
} from '../support/browser/browser.ts';
import { answers, ask, questions, whole } from '../support/browser/chat-page.ts';

describeInBrowser('live updates', () => {
  let { app, owner, organization } = {} as OwnersApp;
  let member: Visitor;
  let memberId: string;
  openAsOwner('Olga Owner', 'Moving', async (at) => {
    ({ app, owner, organization } = at);
    const person = app.newPerson('Max Member');
    member = await app.visitSignedIn(person);
    memberId = (await member.call<{ user: { id: string } }>('GET', '/api/me')).user.id;
    await owner.call('POST', `/api/organizations/${organization.id}/members`, { email: person.email, role: 'member' });
  });

  it('shows a workspace to a member who was added to it, its new name, and that it is gone', async () => {
    const { page } = member;
    await page.goto(`/workspaces?org=${organization.slug}`);
    await heading(page, 'Workspaces');
    const { id } = await createWorkspace(owner, organization, 'Fresh');
    await owner.call('POST', `/api/workspaces/${id}/members`, { user: memberId, role: 'member' });
    await page.getByRole('link', { name: 'Fresh' }).first().waitFor();
    await owner.call('PATCH', `/api/workspaces/${id}`, { name: 'Renamed' });
    await page.getByRole('link', { name: 'Renamed' }).first().waitFor();
    await owner.call('DELETE', `/api/workspaces/${id}`);
    await expect.poll(() => page.getByRole('link', { name: 'Renamed' }).count()).toBe(0);
  });

  it('shows owners what other owners decide', async () => {
    const { page } = owner;
    await page.goto(`/organization/settings/members?org=${organization.slug}`);
    await heading(page, 'Members');
    const person = app.newPerson('Nina New');
    const newcomer = await app.visitSignedIn(person);
    await owner.call('POST', `/api/organizations/${organization.id}/members`, { email: person.email, role: 'member' });
    await page.getByText('Nina New').first().waitFor();
    await newcomer.context.close();
  });

  it('follows a chat of the same person on another screen', async () => {
    const other = await member.context.newPage();
    await member.page.goto(`/chat?org=${organization.slug}`);
    await other.goto(`/chat?org=${organization.slug}`);
    await other.getByText('No chats yet').waitFor();
    await ask(member.page, 'Make a list');
    const chats = other.getByRole('navigation', { name: 'Chats' });
    await chats.getByRole('link', { name: /Make a list/ }).click();
    await answers(other).getByText('First, this is a list.').waitFor();
    await whole(member.page);
    await ask(member.page, 'Write some code');
    await expect.poll(() => questions(other).count(), { timeout: 20_000 }).toBe(2);
    await answers(other).nth(1).getByRole('button', { name: 'Try again' }).waitFor();
    // The screen that asked shows nothing twice.
    await whole(member.page);
    await expect
      .poll(async () => [await questions(member.page).count(), await answers(member.page).count()], { timeout: 20_000 })
      .toEqual([2, 2]);
    await other.close();
  });

  it('shows a removed member that the organization is gone', async () => {
    const { page } = member;
    await page.goto(`/workspaces?org=${organization.slug}`);
    await heading(page, 'Workspaces');
    await owner.call('DELETE', `/api/organizations/${organization.id}/members/${memberId}`);
    await heading(page, 'Organization not found');
  });
});
