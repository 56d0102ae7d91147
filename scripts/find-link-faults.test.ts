import { describe, expect, it } from 'vitest';
import { findLinkFaults } from './find-link-faults.ts';

const faults = (files: Record<string, string>): string[] =>
  findLinkFaults(
    Object.entries(files).map(([path, text]) => ({ path, text })),
    (path) => path in files || path === 'docs/images/a.png',
    'docs/README.md',
  );

describe('links of the documentation', () => {
  it('lead to files and headings, by any way that markdown has', () => {
    expect(
      faults({
        'docs/README.md': '[a](users/a.md) [top](../README.md) ![x](images/a.png) [web](https://example.org/nothing)',
        'docs/users/a.md':
          '# What: a *thing*?\n## `Code` of it\n[self](#what-a-thing) [b](../README.md#documentation)\n',
        'README.md': '# x\n',
      }),
    ).toEqual(['docs/users/a.md: ../README.md#documentation leads to no heading']);
    expect(
      faults({
        'docs/README.md': '# Documentation\n[a](a.md#code-of-it) [b](a.md#twice-1)',
        'docs/a.md': '## `Code` of it\n## Twice\n## Twice\n',
      }),
    ).toEqual([]);
  });

  it('that lead nowhere are named', () => {
    expect(faults({ 'docs/README.md': '[a](gone.md) [b](#nowhere) ![c](images/gone.png)' })).toEqual([
      'docs/README.md: gone.md leads to no file',
      'docs/README.md: #nowhere leads to no heading',
      'docs/README.md: images/gone.png leads to no file',
    ]);
  });

  it('are not made by code', () => {
    expect(
      faults({ 'docs/README.md': '`[a](gone.md)`\n\n```md\n# Not a heading\n[b](gone.md)\n```\n[c](#not-a-heading)' }),
    ).toEqual(['docs/README.md: #not-a-heading leads to no heading']);
  });

  it('reach every page', () => {
    expect(
      faults({
        'docs/README.md': '[a](a.md)',
        'docs/a.md': '[b](b.md)',
        'docs/b.md': '',
        'docs/alone.md': '',
        'CONTRIBUTING.md': '',
      }),
    ).toEqual(['docs/alone.md: no link leads here from docs/README.md']);
  });
});
