import { expect, it } from 'vitest';
import { marked } from './label-lexer.ts';

it('reads the marks of a label, and its lines', () => {
  expect(marked.lexer('The **bold** cat\nand `code`')).toMatchObject([
    {
      type: 'paragraph',
      tokens: [
        { type: 'text', text: 'The ' },
        { type: 'strong', tokens: [{ type: 'text', text: 'bold' }] },
        { type: 'text', text: ' cat' },
        { type: 'text', text: '\n' },
        { type: 'text', text: 'and ' },
        { type: 'text', text: 'code' },
      ],
    },
  ]);
});

it('leaves a label that looks like a list or a heading as it is', () => {
  expect(marked.lexer('1. Begin')).toMatchObject([{ type: 'text', raw: '1. Begin' }]);
  expect(marked.lexer('# 5')).toMatchObject([{ type: 'text', raw: '# 5' }]);
});
