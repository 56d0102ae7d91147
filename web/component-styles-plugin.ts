import type { Plugin } from 'vite';

const ALL = '@mantine/core/styles.layer.css';
const SHARED = '\0component-styles';
const CLASSES = /[\\/]@mantine[\\/]core[\\/]esm[\\/].*[\\/](\w+)\.module\.mjs$/;

/**
 * The styles of a component come with the component, not all of them with the first page. They are in a layer, so that
 * the app's own win in whatever order the sheets arrive. The development server serves all of them.
 */
export const componentStyles: Plugin = {
  name: 'component-styles',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source) => (source === ALL ? SHARED : undefined),
  load: (id) =>
    id === SHARED
      ? ['baseline', 'default-css-variables', 'global'].map((name) => `import '${styleOf(name)}';`).join('\n')
      : undefined,
  transform(code, id) {
    const [, name] = CLASSES.exec(id) ?? [];
    return name === undefined ? undefined : `import '${styleOf(name)}';\n${code}`;
  },
};

function styleOf(name: string): string {
  return `@mantine/core/styles/${name}.layer.css`;
}
