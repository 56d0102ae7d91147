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

/** The entry imports the app when the texts are there; the browser fetches its code before that. */
const preloadApp: Plugin = {
  name: 'preload-app',
  transformIndexHtml: (_html, { bundle = {} }) => {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const app = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith('/web/app.tsx')));
    if (app === undefined) return [];
    const scripts = [app.fileName, ...app.imports].map((file) => ({
      rel: 'modulepreload',
      crossorigin: true,
      href: `/${file}`,
    }));
    const styles = [...(app.viteMetadata?.importedCss ?? [])].map((file) => ({
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
    preloadApp,
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
            { name: 'first', test: module('app|features/access/sign-in-page') },
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
