import { describe, expect, it } from 'vitest';
import { findFaults, type SourceFile } from './find-floor-faults.ts';
import { FEATURE_ARROWS } from './floors.ts';

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
      'src/store/b.ts imports src/http/a.ts: upwards from floor 4 to 11',
    ]);
  });

  it('finds a sideways import, over several lines and as a re-export', () => {
    expect(
      findFaults([
        file('src/receipts/r.ts', "import {\n  a,\n  b,\n} from '../tenancy/t.ts';\nexport * from '../broker/b.ts';"),
      ]),
    ).toEqual([
      'src/receipts/r.ts imports src/tenancy/t.ts: sideways on floor 5',
      'src/receipts/r.ts imports src/broker/b.ts: sideways on floor 5',
    ]);
  });

  it('knows the floors inside a room: what is shared below, the rest side by side', () => {
    expect(
      findFaults([
        file('src/http/compose.ts', "import './web/app.ts';\nimport './oauth/mount.ts';"),
        file('src/http/web/app.ts', "import '../shell/listen.ts';\nimport './streams/one.ts';"),
        file('src/http/web/streams/one.ts', "import '../../shell/streams/open.ts';"),
      ]),
    ).toEqual([]);
    expect(
      findFaults([
        file('src/http/web/app.ts', "import type { A } from '../v1/a.ts';\nimport '../compose.ts';"),
        file('src/http/shell/listen.ts', "import '../web/app.ts';"),
        file('src/http/misc/a.ts', "import '../shell/listen.ts';"),
      ]),
    ).toEqual([
      'src/http/web/app.ts imports src/http/v1/a.ts: sideways on floor 2',
      'src/http/web/app.ts imports src/http/compose.ts: upwards from floor 2 to 4',
      'src/http/shell/listen.ts imports src/http/web/app.ts: upwards from floor 1 to 2',
      "src/http/misc/a.ts imports src/http/shell/listen.ts: the room 'misc' is on no floor",
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

  it('lets only the entry start stand-ins, which see no room that serves or decides', () => {
    expect(
      findFaults([
        file('src/entry/a.ts', "import { x } from '../../stand-ins/models/x.ts';"),
        file('src/turns/b.ts', "import { x } from '../../stand-ins/models/x.ts';"),
        file('stand-ins/models/x.ts', "import { y } from '../nango/y.ts';\nimport { z } from '../../src/base/z.ts';"),
        file('stand-ins/nango/y.ts', "import { c } from '../../src/turns/c.ts';"),
      ]),
    ).toEqual([
      'src/turns/b.ts imports stand-ins/models/x.ts: only src/entry starts stand-ins',
      'stand-ins/models/x.ts imports stand-ins/nango/y.ts: stand-ins/models may import only src/base, src/net, src/telemetry, src/catalog',
      'stand-ins/nango/y.ts imports src/turns/c.ts: stand-ins/nango may import only src/base, src/net, src/telemetry, src/catalog, src/store',
    ]);
  });

  it('lets a part of web import from a lower one, and the router from all', () => {
    expect(
      findFaults([
        file('web/router.tsx', "const page = import('./features/runs/runs-page.tsx');\nimport './shell/rail.tsx';"),
        file('web/shell/rail.tsx', "import { x } from '../features/chat/x.ts';\nimport { y } from './y.ts';"),
        file('web/features/runs/runs-page.tsx', "import { Card } from '../../kit/card.tsx';"),
      ]),
    ).toEqual([]);
  });

  it('finds an upward import in web, and a folder that is on no floor', () => {
    expect(
      findFaults([
        file('web/kit/card.tsx', "import { me } from '../session/me.ts';\nimport '../router.tsx';"),
        file('web/parts/card.tsx', "import { me } from '../session/me.ts';"),
      ]),
    ).toEqual([
      'web/kit/card.tsx imports web/session/me.ts: upwards in web, to session',
      'web/kit/card.tsx imports web/router.tsx: upwards in web, to router.tsx',
      "web/parts/card.tsx imports web/session/me.ts: the folder 'parts' of web is on no floor",
    ]);
  });

  it('lets a feature import another only along an arrow of the table', () => {
    expect(
      findFaults([
        file('web/features/chat/a.ts', "import { r } from '../runs/r.ts';\nimport { p } from '../plan/p.ts';"),
        file('web/features/misc/a.ts', "import { r } from '../runs/r.ts';"),
      ]),
    ).toEqual([
      'web/features/chat/a.ts imports web/features/plan/p.ts: the table has no arrow from chat to plan',
      "web/features/misc/a.ts imports web/features/runs/r.ts: the feature 'misc' is not in the table",
    ]);
  });

  it.each(Object.entries(FEATURE_ARROWS))('draws the arrows of %s to features further down', (feature, arrows) => {
    const order = Object.keys(FEATURE_ARROWS);
    for (const other of arrows) expect(order.indexOf(other)).toBeGreaterThan(order.indexOf(feature));
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

  it('finds a loop that counts its tries, outside the room for that', () => {
    const loop = 'for (let tries = 1; ; tries++) {}';
    expect(findFaults([file('src/runs/a.ts', loop)])).toEqual([
      'src/runs/a.ts retries by hand: src/timing/retry.ts does, by a row of retry-policies.ts',
    ]);
    expect(findFaults([file('src/timing/retry.ts', loop), file('src/runs/b.ts', `// ${loop}`)])).toEqual([]);
  });
});

it('a directory has at most forty files', () => {
  const files = (count: number): SourceFile[] =>
    Array.from({ length: count }, (_, at) => ({ path: `src/store/f${at}.ts`, text: '' }));
  expect(findFaults(files(40))).toEqual([]);
  expect(findFaults(files(41))).toEqual(['src/store has 41 files: at most 40, the rest belongs in folders']);
});

it('keeps schemas out of pages, however far down they are loaded', () => {
  const contract = [
    file('src/contract/form.ts', "import { z } from 'zod';"),
    file('src/contract/shown.ts', "export { x } from './form.ts';"),
    file('src/contract/plain.ts', "import type { Form } from './form.ts';"),
  ];
  const page = (code: string): string[] => findFaults([...contract, file('web/kit/a.ts', code)]);
  expect(page("import { x } from '../../src/contract/shown.ts';")).toEqual([
    'web/kit/a.ts loads the schemas of src/contract/shown.ts: import types of it only, or put the values apart',
  ]);
  expect(page("import type { X } from '../../src/contract/shown.ts';")).toEqual([]);
  expect(page("import { y } from '../../src/contract/plain.ts';")).toEqual([]);
});
