import { describe, expect, it } from 'vitest';
import { findFaults } from './find-floor-faults.ts';

const file = (path: string, text: string): { path: string; text: string } => ({ path, text });

describe('the floors of the house', () => {
  it('lets a room import from a lower floor and from itself', () => {
    expect(
      findFaults([
        file('src/http/a.ts', "import { b } from '../store/b.ts';\nimport { c } from './c.ts';"),
        file('src/http/c.ts', ''),
      ]),
    ).toEqual([]);
  });

  it('finds an upward import, type-only ones included', () => {
    expect(findFaults([file('src/store/b.ts', "import type { A } from '../http/a.ts';")])).toEqual([
      'src/store/b.ts imports src/http/a.ts: upwards from floor 2 to 6',
    ]);
  });

  it('finds a sideways import, over several lines and as a re-export', () => {
    expect(
      findFaults([
        file('src/receipts/r.ts', "import {\n  a,\n  b,\n} from '../tenancy/t.ts';\nexport * from '../broker/b.ts';"),
      ]),
    ).toEqual([
      'src/receipts/r.ts imports src/tenancy/t.ts: sideways on floor 3',
      'src/receipts/r.ts imports src/broker/b.ts: sideways on floor 3',
    ]);
  });

  it('finds a circle inside one room', () => {
    expect(
      findFaults([file('src/base/a.ts', "import './b.ts';"), file('src/base/b.ts', "const x = import('./a.ts');")]),
    ).toEqual(['circle: src/base/a.ts → src/base/b.ts → src/base/a.ts']);
  });

  it('keeps web and cli to the contract', () => {
    expect(
      findFaults([
        file('web/app.tsx', "import { x } from '../src/contract/x.ts';\nimport { y } from '../src/base/y.ts';"),
      ]),
    ).toEqual(['web/app.tsx imports src/base/y.ts: web may import only src/contract']);
  });

  it('refuses a room that is on no floor', () => {
    expect(findFaults([file('src/misc/a.ts', "import { b } from '../store/b.ts';")])).toEqual([
      "src/misc/a.ts imports src/store/b.ts: the room 'misc' is on no floor",
    ]);
  });

  it('finds the environment read outside its one file, but not in a comment', () => {
    expect(
      findFaults([file('src/http/a.ts', '// process.env is read elsewhere\nconst x = process.env.HOME;')]),
    ).toEqual(['src/http/a.ts reads process.env: only src/base/config.ts may']);
  });

  it('finds outgoing HTTP from a room that may not call out', () => {
    expect(findFaults([file('src/keys/a.ts', 'await fetch(url);')])).toHaveLength(1);
    expect(findFaults([file('src/model-providers/a.ts', 'await fetch(url);')])).toEqual([]);
  });
});
