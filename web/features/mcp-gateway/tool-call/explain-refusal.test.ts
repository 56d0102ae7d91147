import { describe, expect, it } from 'vitest';
import { explainRefusal, toFieldFaults } from './explain-refusal.ts';

describe('a refused call', () => {
  it('comes with the way out that this page has', () => {
    expect(explainRefusal("integration action 'create-issue' requires connect:write")).toMatch(
      /^Writes need the connect:write scope/,
    );
    expect(explainRefusal('integration action not found or disabled')).toMatch(/can turn it on/);
    expect(explainRefusal('repository_not_selected')).toBeUndefined();
  });

  it('names the fields of the form', () => {
    expect(
      toFieldFaults({ 'arguments.data.name': 'is missing', 'arguments.path': 'must begin with /', body: 'is no JSON' }),
    ).toEqual({ 'data/name': 'is missing', path: 'must begin with /', body: 'is no JSON' });
  });
});
