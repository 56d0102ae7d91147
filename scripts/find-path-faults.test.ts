import { expect, it } from 'vitest';
import { findPathFaults } from './find-path-faults.ts';

const SOURCES: Record<string, string> = {
  'src/http/in.ts': "import { verb } from '../chat/verb.ts';\n",
  'src/chat/verb.ts': "import type { Kind } from './kind.ts';\n",
  'src/chat/kind.ts': 'export type Kind = string;\n',
  'src/chat/other.ts': '',
};
const path = { title: 'Way', aim: 3, entrances: ['src/http/in.ts'] };
const read = (file: string): string | undefined => SOURCES[file];

it('takes a list whose files import each other', () => {
  expect(findPathFaults({ ...path, files: ['src/http/in.ts', 'src/chat/verb.ts', 'src/chat/kind.ts'] }, read)).toEqual(
    [],
  );
});

it('names files that are gone, files that nothing of the list imports, and files that are listed twice', () => {
  const files = ['src/chat/gone.ts', 'src/chat/verb.ts', 'src/chat/verb.ts', 'src/chat/other.ts'];
  expect(findPathFaults({ ...path, files }, read)).toEqual([
    'Way: src/chat/gone.ts does not exist',
    'Way: a file is listed twice',
    'Way: the entrance src/http/in.ts is not listed',
    'Way: no other file of the path imports src/chat/verb.ts',
    'Way: no other file of the path imports src/chat/other.ts',
  ]);
});
