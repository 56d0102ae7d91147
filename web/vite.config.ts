import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { appLogos } from './app-logos-plugin.ts';
import { leanDiagrams } from './lean-diagrams-plugin.ts';
import { componentStyles } from './component-styles-plugin.ts';
import { contractRoutes } from './contract-routes-plugin.ts';
import { serviceWorker } from './service-worker-plugin.ts';

/** Our own modules and the component library; nothing else may end up in the chunks that load first. */
const SHARED =
  /[\\/]web[\\/](?:api|kit|session|shell|features)[\\/]|node_modules[\\/](?:@mantine|@floating-ui|clsx|react-remove-scroll|tabbable)/;

/** The modules that import what is needed before the texts are there: a chunk runs as a whole, so that has its own. */
const BEFORE_TEXTS = /[\\/]web[\\/](?:main|translation|.*\.de)\.ts$/;

/** A module of the app, by its path. */
const module = (path: string): RegExp => new RegExp(`[\\\\/]web[\\\\/](?:${path.replaceAll('/', '[\\\\/]')})\\.tsx?$`);

/** What the sign-in page and the app both need. */
const BOTH = [
  module('mount|session/query-client|shell/notices|kit/form-problem|kit/language-switch|kit/look/mark'),
  module('features/access/identity-strings'),
  /@tanstack[\\/]react-query[\\/]|create-safe-context/,
  /@mantine[\\/]core[\\/]esm[\\/]components[\\/](?:ActionIcon|Anchor|Group|SegmentedControl|Stack|Text|TextInput|Title)[\\/]/,
];

/** The entry imports a page when the texts are there; the browser fetches what every page needs before that. */
const preloadFirst: Plugin = {
  name: 'preload-first',
  transformIndexHtml: (_html, { bundle = {} }) => {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const first = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/web/mount.tsx')));
    if (first === undefined) return [];
    const scripts = [first.fileName, ...first.imports].map((file) => ({
      rel: 'modulepreload',
      crossorigin: true,
      href: `/${file}`,
    }));
    const styles = [...(first.viteMetadata?.importedCss ?? [])].map((file) => ({
      rel: 'stylesheet',
      crossorigin: true,
      href: `/${file}`,
    }));
    return [...scripts, ...styles].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const }));
  },
};

/** KaTeX offers its fonts in three formats; every browser that runs the app takes the smallest. */
const smallestFonts = {
  name: 'smallest-fonts',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    /katex[^/]*\.css$/.test(id) ? code.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("\w+"\)/g, '') : undefined,
};

const GATEWAY = 'http://localhost:4000';

export default defineConfig({
  plugins: [
    react(),
    contractRoutes(),
    appLogos(),
    preloadFirst,
    smallestFonts,
    componentStyles,
    leanDiagrams,
    serviceWorker(),
  ],
  build: {
    outDir: '../dist/public',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows files of our own origin only, so nothing is inlined.
    assetsInlineLimit: 0,
    // Large chunks are diagrams, which are loaded when one is shown; what loads first is bounded in page-loads.ts.
    chunkSizeWarningLimit: 2_000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              debugName: 'start',
              name: (id, modules) =>
                modules.getModuleInfo(id)?.importers.some((importer) => BEFORE_TEXTS.test(importer)) ? 'start' : null,
            },
            { name: 'base', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ },
            // Each with everything that it reaches and no group above has.
            { name: 'first', test: (id) => BOTH.some((part) => part.test(id)) },
            { name: 'entrance', test: module('features/access/sign-in-page') },
            { name: 'app', test: module('app') },
            { name: 'shell', test: module('shell/(?:app|signed)-layout') },
            { name: 'chat', test: module('features/chat/chat-page') },
            { name: 'messages', test: module('features/chat/conversation/message-list') },
            { name: 'diagrams', test: module('kit/markdown/render-diagram') },
            { name: 'flowcharts', test: /mermaid\.core[\\/](?:flowDiagram|dagre)-/ },
            { name: 'common', test: SHARED, minShareCount: 8 },
          ],
        },
      },
    },
  },
  // `npm run dev` serves the sources against a running stack at the default address.
  server: {
    proxy: Object.fromEntries(
      ['/api', '/runtime', '/connect', '/v1'].map((path) => [
        path,
        { target: GATEWAY, changeOrigin: true, headers: { origin: GATEWAY } },
      ]),
    ),
  },
});
