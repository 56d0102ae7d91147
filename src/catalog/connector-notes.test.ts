import { describe, expect, it } from 'vitest';
import { CONNECTOR_NOTES } from './connector-notes.ts';
import { loadConnectors } from './load-connectors.ts';

describe('the notes about connectors', () => {
  it('have a row for every connector, and for nothing else', () => {
    expect(Object.keys(CONNECTOR_NOTES)).toEqual(loadConnectors().connectors.map(({ id }) => id));
  });

  it.each(Object.entries(CONNECTOR_NOTES))('%s: one short sentence, and what it reads as part of one', (_, notes) => {
    expect(notes.purpose).toMatch(/^[A-Z][^.!?\n]{8,80}\.$/);
    expect(notes.reads).toMatch(/^[a-zA-Z][^.!?\n]{8,140}$/);
  });
});
