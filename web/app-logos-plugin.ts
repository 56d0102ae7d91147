import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { logoColors } from './features/integrations/logo-colors.ts';

const MANIFESTS = join(import.meta.dirname, '..', 'connectors');

/** Those of the package that a manifest names, and no other, with the colors they are drawn in. */
export function appLogos(): Plugin {
  const id = 'virtual:app-logos';
  return {
    name: 'app-logos',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? writeModule() : undefined),
  };
}

async function writeModule(): Promise<string> {
  const icons = new Map(
    Object.entries(await import('simple-icons')).flatMap(([name, icon]) =>
      'slug' in icon ? [[icon.slug, { name, hex: icon.hex }] as const] : [],
    ),
  );
  const logos = readdirSync(MANIFESTS).flatMap((file) => {
    const { id, logo } = JSON.parse(readFileSync(join(MANIFESTS, file), 'utf8')) as { id: string; logo?: string };
    if (logo === undefined) return [];
    const icon = icons.get(logo);
    if (icon === undefined) throw new Error(`connectors/${file}: simple-icons has no icon ${JSON.stringify(logo)}`);
    return [{ id, name: icon.name, ...logoColors(`#${icon.hex}`) }];
  });
  const names = [...new Set(logos.map(({ name }) => name))];
  const rows = logos.map(
    ({ id, name, light, dark }) => `${JSON.stringify(id)}: { path: ${name}.path, light: '${light}', dark: '${dark}' },`,
  );
  return `import { ${names.join(', ')} } from 'simple-icons';\nexport const logos = {\n${rows.join('\n')}\n};\n`;
}
