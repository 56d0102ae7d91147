// The Helm chart, made from deploy/kubernetes: the same objects, with the values of chart-values.ts in the places where
// the manifests have them. Templates use six forms and nothing else, so that a small renderer can check them:
//   {{ .Release.Namespace }}   {{ .Values.a }}   {{ .Values.a | toJson }}   {{ .Values.a | toString | toJson }}
//   {{- if .Values.a }}   {{- end }}
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { CHART_VALUES, type ChartValue, MAIN_NAMESPACE, SANDBOX_NAMESPACE } from './chart-values.ts';
import { gatherFile } from './gather-files.ts';
import type { Artefacts, ReleaseInput } from './release-part.ts';
import { type TarEntry, writeTarGz } from '../../src/base/write-tar.ts';

const NAME = 'agent-platform';
/** Created before the release, because the secrets must be there first; and what only kustomize reads. */
const NOT_TEMPLATES = ['kustomization.yaml', 'namespace.yaml'];
/** `endPort` of network policies, and everything else, is stable since this version. */
const KUBERNETES = '>=1.25.0-0';
/** Helm and Kubernetes read YAML 1.1, where `off` without quotes is not a string. */
const AS_READ = { version: '1.1', lineWidth: 0 } as const;

type Scalar = string | number | boolean | null;
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

export function makeChart({ root, build }: ReleaseInput): Artefacts {
  const directory = join(root, 'deploy/kubernetes');
  const chart = {
    apiVersion: 'v2',
    name: NAME,
    description: 'A self-hosted agent platform: chat gateway, connections and tools, background runs.',
    type: 'application',
    version: build.version,
    appVersion: build.version,
    kubeVersion: KUBERNETES,
    annotations: { 'agent-platform/build': build.id },
  };
  const writer = new TemplateWriter();
  const templates = readdirSync(directory)
    .filter((file) => !NOT_TEMPLATES.includes(file))
    .toSorted()
    .map((file): TarEntry => ({
      path: `${NAME}/templates/${file}`,
      content: Buffer.from(writer.write(readFileSync(join(directory, file), 'utf8'))),
    }));
  const entries: TarEntry[] = [
    { path: `${NAME}/Chart.yaml`, content: Buffer.from(stringify(chart, AS_READ)) },
    { path: `${NAME}/values.yaml`, content: Buffer.from(writer.values()) },
    ...templates,
    ...gatherFile(join(directory, 'namespace.yaml'), NAME),
    ...gatherFile(join(root, 'LICENSE'), NAME),
  ];
  return { [`${NAME}-${build.version}.tgz`]: writeTarGz(entries, build.epochSeconds) };
}

class TemplateWriter {
  /** What the manifests say where a value is used. */
  private readonly defaults = new Map<string, Scalar | readonly string[]>();
  /** What stands for an expression until the YAML around it is written. */
  private readonly marks: { expression: string; optional?: string }[] = [];

  write(text: string): string {
    const documents = parseAllDocuments(text).map((document) => {
      const manifest = document.toJS() as Manifest;
      return stringify(this.place(manifest, `${manifest.kind}/${manifest.metadata.name} `), AS_READ);
    });
    return documents.map((one) => this.fill(one)).join('---\n');
  }

  /** Every value with its default, after every template is written. */
  values(): string {
    const values: Record<string, unknown> = {};
    for (const { value, absent } of CHART_VALUES) {
      const found = this.defaults.get(value) ?? absent?.otherwise;
      if (found === undefined) throw new Error(`the chart has a value ${value} that no manifest uses`);
      const [group = '', key] = value.split('.');
      if (key === undefined) values[group] = found;
      else values[group] = { ...(values[group] as object | undefined), [key]: found };
    }
    values[SANDBOX_NAMESPACE.value] = SANDBOX_NAMESPACE.name;
    const abouts = new Map([...CHART_VALUES, SANDBOX_NAMESPACE].map(({ value, about }) => [value, about]));
    return `# What you may set. The defaults are those of deploy/kubernetes.\n${commented(stringify(values, AS_READ), abouts)}`;
  }

  private place(node: unknown, address: string): unknown {
    if (Array.isArray(node)) return node.map((one, at) => this.place(one, `${address}.${at}`));
    if (typeof node !== 'object' || node === null) return this.placeScalar(node as Scalar, address);
    const placed = Object.entries(node).map(([key, one]) => [key, this.place(one, addressOf(address, key))] as const);
    const added = CHART_VALUES.flatMap(({ value, absent }) =>
      absent?.in.test(address) === true
        ? [[absent.key, this.mark(`.Values.${value} | toJson`, `.Values.${value}`)] as const]
        : [],
    );
    return Object.fromEntries([...placed, ...added]);
  }

  private placeScalar(scalar: Scalar, address: string): Scalar {
    const row = CHART_VALUES.find(({ where }) => where.test(address));
    if (row !== undefined) return this.placeValue(row, scalar, address);
    if (typeof scalar !== 'string') return scalar;
    if (scalar === MAIN_NAMESPACE.name && MAIN_NAMESPACE.where.test(address)) return this.mark('.Release.Namespace');
    // The name of the sandbox's image begins like its namespace; that is a value of its own.
    return scalar.replaceAll(SANDBOX_NAMESPACE.name, () => this.mark(`.Values.${SANDBOX_NAMESPACE.value}`));
  }

  private placeValue({ value }: ChartValue, scalar: Scalar, address: string): string {
    const known = this.defaults.get(value);
    if (known !== undefined && known !== scalar)
      throw new Error(`${address} is ${scalar}, and the chart's ${value} is ${String(known)} elsewhere`);
    this.defaults.set(value, scalar);
    // A number in values.yaml must not become one where Kubernetes wants a string.
    return this.mark(`.Values.${value} | ${typeof scalar === 'string' ? 'toString | ' : ''}toJson`);
  }

  private mark(expression: string, optional?: string): string {
    this.marks.push({ expression, ...(optional === undefined ? {} : { optional }) });
    return `MARK${this.marks.length - 1}E`;
  }

  private fill(yaml: string): string {
    return yaml.replaceAll(/^.*MARK\d+E.*\n/gm, (line) => {
      const optional = this.marks[Number(/MARK(\d+)E/.exec(line)?.[1])]?.optional;
      const filled = line.replaceAll(/MARK(\d+)E/g, (_, at) => `{{ ${this.marks[Number(at)]?.expression} }}`);
      return optional === undefined ? filled : `{{- if ${optional} }}\n${filled}{{- end }}\n`;
    });
  }
}

function addressOf(address: string, key: string): string {
  return address.endsWith(' ') ? `${address}${key}` : `${address}.${key}`;
}

/** What a value means, above its line. */
function commented(yaml: string, abouts: ReadonlyMap<string, string>): string {
  let group = '';
  return yaml
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', key = ''] = /^( *)(\w+):/.exec(line) ?? [];
      if (key === '') return [line];
      if (indent === '') group = key;
      const about = abouts.get(indent === '' ? key : `${group}.${key}`);
      return about === undefined ? ['', line] : [...(indent === '' ? [''] : []), `${indent}# ${about}`, line];
    })
    .join('\n');
}
