// Renders the chart where helm is not to be had: exactly the six forms that scripts/release/make-chart.ts writes. Any
// other is refused, so that what this passes is not read differently by helm.
import { parse, parseAllDocuments } from 'yaml';

export interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const LINE = /^\{\{- (?:if \.Values\.([\w.]+)|(end)) \}\}\n/;
const FORM = /^(?:(\.Release\.Namespace)|\.Values\.([\w.]+)((?: \| toString)?(?: \| toJson)?))$/;
/** As helm reads both. */
const YAML = { version: '1.1' } as const;

export interface Chart {
  /** The files of templates/, by name. */
  readonly templates: Readonly<Record<string, string>>;
  readonly values: string;
}

export function renderChart(
  { templates, values }: Chart,
  set: Readonly<Record<string, unknown>> = {},
  namespace = 'agent-platform',
): KubernetesObject[] {
  const valueOf = (path: string): unknown => {
    if (Object.hasOwn(set, path)) return set[path];
    const found = path
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], parse(values, YAML));
    if (found === undefined) throw new Error(`values.yaml has no ${path}`);
    return found;
  };
  const evaluate = (expression: string): string => {
    const [, release, path = '', pipes = ''] = FORM.exec(expression) ?? [];
    if (release !== undefined) return namespace;
    if (path === '') throw new Error(`a form that nothing else uses: {{ ${expression} }}`);
    const value = pipes.includes('toString') ? String(valueOf(path)) : valueOf(path);
    return pipes.includes('toJson') ? JSON.stringify(value) : String(value);
  };
  const isSet = (path: string): boolean => {
    const value = valueOf(path);
    return Array.isArray(value) ? value.length > 0 : Boolean(value);
  };
  return Object.entries(templates).flatMap(([file, text]) => {
    const lines: string[] = [];
    let shown = true;
    for (const line of text.split(/(?<=\n)/)) {
      const [control, condition] = LINE.exec(line) ?? [];
      if (control !== undefined) shown = condition === undefined || isSet(condition);
      else if (shown) lines.push(line.replaceAll(/\{\{ (.*?) \}\}/g, (_, expression: string) => evaluate(expression)));
    }
    const rendered = lines.join('');
    if (/\{\{|\}\}/.test(rendered)) throw new Error(`${file} has a form that nothing else uses`);
    return parseAllDocuments(rendered, YAML).map((document) => {
      if (document.errors[0]) throw new Error(`${file}: ${document.errors[0].message}`);
      return document.toJS() as KubernetesObject;
    });
  });
}
