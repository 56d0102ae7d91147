import { expect, it } from 'vitest';
import { filesOfLoads, PAGE_LOADS } from './page-loads.ts';

it('counts what a page loads with its imports, and nothing twice', () => {
  const chunks = Object.entries(PAGE_LOADS).map(([name, { begins }]) => ({
    fileName: `${name}.js`,
    moduleIds: begins.map((module) => `/src${module}${module.endsWith('-') ? 'ABC.mjs' : ''}`),
    imports: ['base.js'],
  }));
  const base = { fileName: 'base.js', moduleIds: ['/src/react.js'], imports: [] };
  expect(filesOfLoads([...chunks, base])).toEqual({
    'sign-in': ['sign-in.js', 'base.js'],
    chat: ['sign-in.js', 'chat.js', 'base.js'],
    thread: ['thread.js'],
    diagram: ['diagram.js'],
  });
  expect(() => filesOfLoads([base])).toThrow('no chunk of the web app has /web/main.ts');
});
