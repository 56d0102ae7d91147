import { expect, it } from 'vitest';
import { describeTool, readToolName } from './describe-tool.ts';

const appName = (id: string): string => (id === 'github' ? 'GitHub' : id);

it.each([
  ['github__list-repositories', 'Listed repositories in GitHub', 'Listing repositories in GitHub'],
  ['github--work__get-issue', 'Looked up an issue in GitHub (work)', 'Looking up an issue in GitHub (work)'],
  ['github__create-pull-request', 'Created a pull request in GitHub', 'Creating a pull request in GitHub'],
  ['slack__post-message', 'Posted a message in slack', 'Posting a message in slack'],
  ['github__frobnicate', 'Called frobnicate in GitHub', 'Calling frobnicate in GitHub'],
  ['bash', 'Ran a command', 'Running a command'],
  ['edit', 'Changed files', 'Changing files'],
  ['plan', 'Updated its plan', 'Updating its plan'],
  ['constructor', 'Called constructor', 'Calling constructor'],
])('%s: %s', (name, ended, running) => {
  expect([describeTool(name, true, appName), describeTool(name, false, appName)]).toEqual([ended, running]);
});

it('reads the app, connection and tool out of a name', () => {
  expect(readToolName('github--my-work__list-issues')).toEqual({
    app: 'github',
    connection: 'my-work',
    tool: 'list-issues',
  });
  expect(readToolName('a__b__c')).toEqual({ app: 'a__b', tool: 'c' });
  expect(readToolName('find_tools')).toEqual({ tool: 'find_tools' });
});
