// Projects in the browser: instructions, files, chats with sources, moving chats, deleting, and colleagues.
import { expect, it } from 'vitest';
import { faultsOf, findFaults } from '../support/browser/axe.ts';
import {
  createWorkspace,
  describeInBrowser,
  heading,
  openAsOwner,
  type OwnersApp,
  type Visitor,
} from '../support/browser/browser.ts';
import { askThrough } from '../support/browser/chat-page.ts';
import { takePictures } from '../support/browser/pictures.ts';
import { PHONE, showOn, WIDE } from '../support/browser/screen.ts';

const HANDBOOK = [
  '# Zoo handbook',
  ...Array.from({ length: 12 }, (_, n) => `Chapter ${n}. ${'The keepers met and went home. '.repeat(30)}`),
  'The herons are fed at noon, with fresh fish from Rotterdam.',
].join('\n\n');

const text = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

describeInBrowser('projects', () => {
  let { app, owner, organization, page } = {} as OwnersApp;
  let project = '';
  let colleague = {} as Visitor;
  openAsOwner('Petra Project', 'Zoologists', (at) => ({ app, owner, organization, page } = at));

  const side = () => page.getByRole('region', { name: 'Projects' });
  const files = (on = page) => on.getByRole('list', { name: 'Files' });

  it('are made from the list of chats, by keyboard', async () => {
    await page.goto('/chat');
    await side().getByText('Keep instructions and files for several chats.').waitFor();
    await takePictures(page, 'side-empty');
    await side().getByRole('button', { name: 'New project' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create a project' });
    await dialog.getByRole('radio', { name: 'Only me', checked: true }).waitFor();
    await dialog.getByText('Chats are never shared with the project').waitFor();
    await dialog.getByRole('textbox', { name: 'Name' }).press('Enter');
    await dialog.getByText('Enter a name.').waitFor();
    expect(await findFaults(page, 'the dialog', '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Zoo');
    await dialog.getByRole('textbox', { name: 'Description' }).fill('Everything about the animals.');
    await page.keyboard.press('Enter');
    await heading(page, 'Zoo');
    project = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByText('No files yet').waitFor();
    await page.getByText('No chats yet').waitFor();
    await takePictures(page, 'project-empty');
  });

  it('have instructions, which are kept while somebody else saves theirs', async () => {
    const field = page.getByRole('textbox', { name: 'Instructions' });
    await field.fill('Answer like a zoo keeper.');
    await page.getByText('25 of 8,000 characters').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Instructions saved').waitFor();
    await field.fill('My own draft');
    await owner.call('PATCH', `/api/projects/${project}`, { instructions: 'From elsewhere.' });
    await page.getByText('Someone else has changed the instructions').waitFor();
    await expect.poll(() => field.inputValue()).toBe('My own draft');
    await field.fill('Answer as a zoo keeper would.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Save' }).and(page.locator(':disabled')).waitFor();
  });

  it('take files, say how far they are, and why one cannot be read', async () => {
    await page
      .locator('input[type=file]')
      .setInputFiles([text('handbook.md', HANDBOOK), text('blank.txt', ' \n '), text('prices.csv', 'animal,price')]);
    const row = (name: string) => files().getByRole('listitem').filter({ hasText: name });
    await row('handbook.md').getByText('Ready').waitFor();
    await row('prices.csv').getByText('added by Petra Project').waitFor();
    await row('blank.txt').getByText('There is no text in this file.').waitFor();
    await page.getByText('3 of 30 files').waitFor();
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'heron.png', mimeType: 'image/png', buffer: Buffer.from('89504e47', 'hex') }]);
    await row('heron.png').getByText('Images have no text. Attach them to a message instead.').waitFor();
    await takePictures(page, 'project-files');
    await row('heron.png').getByRole('button', { name: 'Dismiss heron.png' }).click();
    await row('blank.txt').getByRole('button', { name: 'Delete blank.txt' }).click();
    await page.getByRole('dialog', { name: 'Delete blank.txt?' }).getByRole('button', { name: 'Delete' }).click();
    await row('blank.txt').waitFor({ state: 'detached' });
    await page.getByText('2 of 30 files').waitFor();
  });

  it('have a default model, which a new chat starts with', async () => {
    const model = page.getByRole('combobox', { name: 'Default model' });
    await model.click();
    await page.getByRole('option', { name: 'Claude Haiku 4.5' }).click();
    await page.getByText('Default model saved').waitFor();
    await page.getByRole('link', { name: 'New chat' }).first().click();
    await page.getByRole('heading', { name: 'New chat in Zoo' }).waitFor();
    await page.getByText('Answers follow the project’s instructions and use its files.').waitFor();
    await page.getByRole('button', { name: /Claude Haiku 4\.5/ }).waitFor();
    await takePictures(page, 'new-chat');
    await askThrough(page, 'When are the herons fed?');
  });

  it('show the sources of an answer, which open by keyboard', async () => {
    const sources = page.getByRole('region', { name: 'Sources' });
    const first = sources.getByRole('button').first();
    await expect.poll(() => first.getAttribute('aria-expanded')).toBe('false');
    await first.press('Enter');
    await sources.getByText('The herons are fed at noon').waitFor();
    await expect.poll(() => first.getAttribute('aria-expanded')).toBe('true');
    await takePictures(page, 'sources');
    expect(await findFaults(page, 'a chat with sources')).toEqual([]);
    await first.press('Enter');
    await sources.getByText('The herons are fed at noon').waitFor({ state: 'detached' });
    // On a phone the folder alone leaves room for the title.
    await showOn(page, PHONE);
    const title = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect(title?.width).toBeGreaterThan(120);
    await page.getByRole('link', { name: 'Project: Zoo' }).waitFor();
    await showOn(page, WIDE);
    const thread = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.reload();
    await page.getByRole('region', { name: 'Sources' }).waitFor();
    await page.getByRole('link', { name: 'Project: Zoo' }).click();
    await heading(page, 'Zoo');
    await page.getByRole('list', { name: 'Your chats' }).getByRole('link').click();
    await page.waitForURL(new RegExp(thread));
  });

  it('are named as sources in a shared chat, where nothing opens', async () => {
    const thread = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { share } = await owner.call<{ share: { id: string } }>('PUT', `/api/threads/${thread}/share`);
    const person = app.newPerson('Rita Reader');
    colleague = await app.visitSignedIn(person);
    const reader = colleague;
    await owner.call('POST', `/api/organizations/${organization.id}/members`, { email: person.email, role: 'member' });
    await reader.page.goto(`/shared/${share.id}`);
    const sources = reader.page.getByRole('region', { name: 'Sources' });
    await sources.getByRole('listitem').filter({ hasText: 'handbook.md' }).first().waitFor();
    await expect.poll(() => sources.getByRole('listitem').first().innerText()).toMatch(/1\s*handbook\.md/);
    await expect.poll(() => sources.locator('a, button').count()).toBe(0);
    await reader.page.getByText('Claude Haiku 4.5').waitFor();
    expect(await findFaults(reader.page, 'a shared chat with sources')).toEqual([]);
    await takePictures(reader.page, 'shared-sources');
  });

  it('take chats from the menu of a chat, and let them go again', async () => {
    const act = async (): Promise<void> => {
      await page
        .locator('.chat-head')
        .getByRole('button', { name: /Actions for/ })
        .click();
      await page.getByRole('menuitem', { name: 'Move to project…' }).click();
    };
    await owner.call('POST', '/api/projects', { organization: organization.id, name: 'Farm' });
    await act();
    const dialog = page.getByRole('dialog', { name: 'Move to project' });
    await dialog.getByRole('radio', { name: 'Zoo', checked: true }).waitFor();
    await takePictures(page, 'move');
    expect(await findFaults(page, 'moving a chat', '[role="dialog"]')).toEqual([]);
    await showOn(page, PHONE);
    expect(await findFaults(page, 'moving a chat on a phone', '[role="dialog"]')).toEqual([]);
    await showOn(page, WIDE);
    await dialog.getByRole('radio', { name: 'Farm' }).check();
    await dialog.getByRole('button', { name: 'Move' }).click();
    await page.getByRole('link', { name: 'Project: Farm' }).waitFor();
    await act();
    await dialog.getByRole('radio', { name: 'No project' }).check();
    await dialog.getByRole('button', { name: 'Move' }).click();
    await page.getByRole('link', { name: /^Project:/ }).waitFor({ state: 'detached' });
    await act();
    await dialog.getByRole('radio', { name: 'Zoo' }).check();
    await dialog.getByRole('button', { name: 'Move' }).click();
    await page.getByRole('link', { name: 'Project: Zoo' }).waitFor();
  });

  it('are folded away, and found by name in the command palette', async () => {
    await side().getByRole('link', { name: 'Farm' }).waitFor();
    await side().getByRole('button', { name: 'Projects' }).press('Enter');
    await side().getByRole('link', { name: 'Farm' }).waitFor({ state: 'detached' });
    await page.reload();
    await side().getByRole('button', { name: 'Projects', expanded: false }).press('Enter');
    await side().getByRole('link', { name: 'Farm' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Command palette' }).getByRole('textbox').fill('Farm');
    await page.getByRole('dialog').getByRole('button', { name: 'Farm' }).click();
    await heading(page, 'Farm');
  });

  it('have no fault that axe can find, in light and dark, and fit a narrow screen', async () => {
    expect(
      await faultsOf(page, [
        { path: '/projects', heading: 'Projects' },
        { path: `/projects/${project}`, heading: 'Zoo', act: () => files().getByText('Ready').first().waitFor() },
        { path: '/projects/nowhere', heading: 'Project not found' },
        { path: `/chat?project=${project}`, heading: 'New chat' },
        {
          path: `/projects/${project}`,
          heading: 'Zoo',
          open: (opened) => opened.getByRole('button', { name: 'Project actions' }).click(),
        },
      ]),
    ).toEqual([]);
    await page.goto('/projects');
    await heading(page, 'Projects');
    await takePictures(page, 'projects');
  });

  it('are used by a colleague once they are shared, whose chat and rating stay their own', async () => {
    const theirs = colleague.page;
    await theirs.goto(`/projects?org=${organization.slug}`);
    await theirs.getByText('No projects yet').waitFor();

    await page.goto(`/projects/${project}`);
    await page.getByText('Instructions and files: only you.').waitFor();
    await page.getByRole('button', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share Zoo' });
    await dialog.getByRole('radio', { name: 'Everyone can use it' }).check();
    await takePictures(page, 'share');
    expect(await findFaults(page, 'sharing a project', '[role="dialog"]')).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Sharing saved').waitFor();
    await page.getByText('every member of Default, and owners and admins').waitFor();

    await theirs.getByText('Shared for use by Petra Project').waitFor();
    await takePictures(theirs, 'shared-with-me');
    await theirs.getByRole('link', { name: 'Zoo', exact: true }).click();
    await theirs.getByText('Ask Petra Project if something in it should change.').waitFor();
    await theirs.getByText('Answer as a zoo keeper would.').waitFor();
    await expect.poll(() => theirs.getByRole('button', { name: /^(Save|Share|Project actions)$/ }).count()).toBe(0);
    await takePictures(theirs, 'project-for-use');
    await theirs.goBack();
    await theirs.getByRole('link', { name: 'Use Zoo' }).click();
    await theirs.getByText('Only you see this chat.').waitFor();
    await askThrough(theirs, 'When are the herons fed?');
    await theirs.getByRole('link', { name: 'Project: Zoo' }).waitFor();

    await theirs.getByRole('button', { name: 'Bad answer' }).click();
    const form = theirs.getByRole('dialog', { name: 'Bad answer' });
    await form.getByRole('textbox').fill('It says nothing about weekends.');
    await form.getByRole('checkbox', { name: 'Include this question and answer' }).check();
    await takePictures(theirs, 'rate');
    expect(await findFaults(theirs, 'rating an answer')).toEqual([]);
    await form.getByRole('button', { name: 'Save' }).click();
    await theirs.getByText('Thanks for your feedback').waitFor();
    await theirs.getByRole('button', { name: 'Bad answer', pressed: true }).waitFor();
    await colleague.context.close();

    await page.goto(`/organization/settings/feedback?project=${project}`);
    await heading(page, 'Feedback');
    const row = page.getByRole('list', { name: 'Ratings' }).getByRole('listitem');
    await row.getByText('It says nothing about weekends.').waitFor();
    await row.getByText(/Bad · Rita Reader · .* · Zoo/).waitFor();
    await row.getByText('Question and answer').click();
    await row.getByText('When are the herons fed?', { exact: true }).waitFor();
    await takePictures(page, 'feedback');
    expect(await findFaults(page, 'feedback')).toEqual([]);
    await page.getByText('Good', { exact: true }).click();
    await page.getByText('No ratings').waitFor();
  });

  it('show a change to members at once; admins outside of the workspace only read', async () => {
    const lab = await createWorkspace(owner, organization, 'Lab');
    const { project: secret } = await owner.call<{ project: { id: string } }>('POST', '/api/projects', {
      organization: organization.id,
      workspace: lab.id,
      name: 'Secret',
      sharing: 'use',
    });
    const person = app.newPerson('Ada Admin');
    const admin = await app.visitSignedIn(person);
    await owner.call('POST', `/api/organizations/${organization.id}/members`, { email: person.email, role: 'admin' });
    await admin.page.goto(`/projects/${project}?org=${organization.slug}`);
    await heading(admin.page, 'Zoo');
    await admin.page.getByText('No chats yet').waitFor();
    await owner.call('PATCH', `/api/projects/${project}`, { name: 'Aquarium' });
    await heading(admin.page, 'Aquarium');
    await admin.page.goto(`/projects/${secret.id}?org=${organization.slug}`);
    await admin.page.getByText('You can see this project, but only members of its workspace').waitFor();
    await expect.poll(() => admin.page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await admin.context.close();
  });

  it('are deleted on request; their chats stay', async () => {
    await page.goto(`/projects/${project}`);
    await page.getByRole('button', { name: 'Project actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete project' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Aquarium?' });
    await dialog.getByText('Chats stay, without a project.').waitFor();
    await dialog.getByRole('button', { name: 'Delete project' }).click();
    await heading(page, 'Projects');
    await page.goto('/chat');
    await page
      .getByRole('navigation', { name: 'Chats' })
      .getByRole('link', { name: /herons/i })
      .click();
    await page.getByRole('region', { name: 'Sources' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: /^Project:/ }).count()).toBe(0);
    await page.goto(`/chat?project=${project}`);
    await page.getByText('This project cannot be opened. Start a new chat without it.').first().waitFor();
  });
});
