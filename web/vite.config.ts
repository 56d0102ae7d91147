import { type AnyContractRouter, minifyContractRouter } from '@orpc/contract';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { connectContract, runtimeContract, webContract } from '../src/contract/contract.ts';

/** Our own pieces and the component library; nothing else may slip into what is loaded early. */
const SHARED =
  /[\\/]web[\\/](?:api|kit|session|shell|features)[\\/]|node_modules[\\/](?:@mantine|@floating-ui|clsx|react-remove-scroll|tabbable)/;

const GATEWAY = 'http://localhost:4000';

/**
 * The browser needs only the method and path of each route; the schemas, and the validator behind them, stay on
 * the server, which checks every input anyway.
 */
function contractRoutes(): Plugin {
  const id = 'virtual:contract-routes';
  return {
    name: 'contract-routes',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) =>
      source === `\0${id}`
        ? `export const routes = ${routesOf(webContract)};\nexport const runtimeRoutes = ${routesOf(runtimeContract)};\nexport const connectRoutes = ${routesOf(connectContract)};`
        : undefined,
  };
}

function routesOf(contract: AnyContractRouter): string {
  return JSON.stringify(minifyContractRouter(contract), withoutProse);
}

function withoutProse(key: string, value: unknown): unknown {
  return key === 'summary' || key === 'description' || key === 'tags' ? undefined : value;
}

export default defineConfig({
  plugins: [react(), contractRoutes()],
  build: {
    outDir: '../dist/public',
    emptyOutDir: true,
    target: 'es2022',
    // Nothing is inlined into the page: the content security policy allows files of our own origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // A few files instead of dozens of crumbs: what every page needs, and what most need. A page's
        // own code, and any large library of its own, stays with it.
        codeSplitting: {
          groups: [
            { name: 'base', test: /node_modules[\\/](?:react|react-dom|scheduler|@tanstack|@orpc)[\\/]/ },
            { name: 'common', test: SHARED, minShareCount: 8 },
          ],
        },
      },
    },
  },
  // `npm run dev` serves the sources against a stack that runs at the default address.
  server: {
    proxy: Object.fromEntries(
      ['/api', '/runtime', '/connect', '/v1'].map((path) => [
        path,
        { target: GATEWAY, changeOrigin: true, headers: { origin: GATEWAY } },
      ]),
    ),
  },
});
