import { describe, expect, it } from 'vitest';
import { loadConnectors } from '../../catalog/load-connectors.ts';
import { matchesSearch } from './matches-search.ts';

const { connectors } = loadConnectors();
const found = (search: string): string[] =>
  connectors.filter((connector) => matchesSearch(connector, search)).map(({ id }) => id);

describe('a search for apps', () => {
  it.each([
    ['mail', ['google-mail', 'outlook', 'sendgrid', 'mailchimp']],
    ['calendar', ['google-calendar', 'outlook', 'calendly']],
    ['tickets', ['jira', 'linear-mcp', 'zendesk', 'freshdesk', 'github']],
    ['crm', ['hubspot', 'salesforce', 'pipedrive', 'attio', 'close']],
    ['chat', ['slack', 'microsoft-teams', 'discord']],
    ['wiki', ['confluence', 'notion', 'notion-mcp']],
    ['Files Google', ['google-drive']],
    ['email', ['google-mail', 'outlook']],
  ])('for %s finds what people mean by it', (search, ids) => {
    expect(found(search)).toEqual(expect.arrayContaining(ids));
    expect(found(search).length).toBeLessThan(12);
  });

  it('does not find a word inside another that only describes the app', () => {
    expect(found('hr')).toEqual(['bamboohr', 'greenhouse', 'lever']);
  });

  it('finds everything without a word and nothing for one that no app knows', () => {
    expect(found(' ')).toHaveLength(63);
    expect(found('gmail zeppelin')).toEqual([]);
  });
});
