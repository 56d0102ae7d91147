import { describe, expect, it } from 'vitest';
import { findWordFaults } from './find-word-faults.ts';

const faultsOf = (text: string, allowed?: string[]): string[] =>
  findWordFaults([{ path: 'docs/x.md', text }], allowed).map((fault) => fault.replace('docs/x.md:', ''));

describe('a word that is not used here', () => {
  it.each([
    ['It is made anew.', '1: "anew", better: again'],
    ['one\nMended in time', '2: "Mended", better: fix'],
    ['whoever asks', '1: "whoever", better: anyone who, the caller, the user who'],
    ['If it stays, restart.', '1: "If it stays", better: if it keeps happening'],
    ['Your e-mail', '1: "e-mail", better: email'],
  ])('is reported with its line and the better one: %s', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it.each([
    ['// nobody needs it any\n// more'],
    ['/**\n * 404 for\n * who is not a member\n */'],
    ['# not there any\n  # more'],
    ['-- not read any\n-- more'],
  ])('is found across the lines of a comment: %j', (text) => {
    expect(faultsOf(text)).toHaveLength(1);
  });

  it.each([['amended'], ['recommended'], ['anewer'], ['email'], ['many more'], ['pre-mend']])(
    'is not found inside another: %s',
    (text) => {
      expect(faultsOf(text)).toEqual([]);
    },
  );

  it('may stay in a text that is allowed, and nowhere else', () => {
    expect(faultsOf('Set anew.\nset it anew', ['Set anew.'])).toEqual(['2: "anew", better: again']);
  });

  it('is reported in the order of the text', () => {
    expect(faultsOf('whoever\nanew\nwhoever').map((fault) => fault.split(':', 1)[0])).toEqual(['1', '2', '3']);
  });
});
