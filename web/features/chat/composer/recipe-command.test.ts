import { describe, expect, it } from 'vitest';
import type { Recipe } from '../../../../src/contract/recipes/recipes.ts';
import { findRecipeCommand, offerRecipes } from './recipe-command.ts';

describe('/run at the start of a message', () => {
  it('is followed by the name of a recipe and nothing else', () => {
    const typed = (text: string, caret = text.length) => findRecipeCommand(text, caret);
    expect([typed('/run '), typed('/run  We'), typed('/RUN weekly '), typed('/run weekly', 4)]).toEqual([
      '',
      'we',
      'weekly',
      undefined,
    ]);
    expect([
      typed('/run'),
      typed('/runner x'),
      typed('see /run x'),
      typed('/run weekly now'),
      typed('/run x\ny'),
    ]).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it('offers the recipe of exactly that name first', () => {
    const recipe = (name: string, description = ''): Recipe => ({
      id: name,
      name,
      description,
      run: { objective: 'Do it', kind: 'chat', workspace: 'ws_1', capabilities: [] },
      fields: [],
      createdBy: { id: 'usr_1', name: 'Ann' },
      createdAt: '2026-01-02T03:04:05.000Z',
      updatedAt: '2026-01-02T03:04:05.000Z',
      editable: true,
    });
    const all = [recipe('other', 'The week'), recipe('bi-weekly'), recipe('Weekly-news'), recipe('WEEK')];
    expect(offerRecipes(all, 'week').map(({ name }) => name)).toEqual(['WEEK', 'Weekly-news', 'bi-weekly', 'other']);
    expect(offerRecipes(all, 'nothing')).toEqual([]);
  });
});
