// The deployment files as the parts of the service they start: command, environment, image. Compose, systemd and
// Kubernetes say the same things in three languages; the tests ask the same questions of all three.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export const DEPLOY = join(import.meta.dirname, '..', 'deploy');
export type Variables = Readonly<Record<string, string>>;

export interface DeployedPart {
  /** A name of the table in src/stack/parts.ts, or of something that is not ours. */
  readonly name: string;
  readonly command: readonly string[];
  readonly image?: string;
  readonly environment: Variables;
  /** What runs inside to see whether it is well. */
  readonly healthcheck?: readonly string[];
  /** How long it has to stop before it is killed. */
  readonly stopSeconds?: number | undefined;
}

export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Variables;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly deploy?: { readonly resources?: { readonly limits?: { readonly cpus?: string; readonly memory?: string } } };
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly privileged?: boolean;
  readonly cap_drop?: readonly string[];
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly volumes?: readonly string[];
  readonly restart?: string;
  readonly stop_grace_period?: string;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks?: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes?: Readonly<Record<string, object>>;
}

/** The repository's, or that of a bundle that was unpacked somewhere. */
export function readComposeFile(directory = DEPLOY): ComposeFile {
  return parse(readFileSync(join(directory, 'compose.yaml'), 'utf8'), { merge: true }) as ComposeFile;
}

export function composeServices(directory?: string): ComposeFile['services'] {
  return readComposeFile(directory).services;
}

export function readCompose(given: Variables): DeployedPart[] {
  return Object.entries(composeServices()).map(
    ([name, { image, command = [], environment = {}, healthcheck, stop_grace_period: grace }]) => ({
      name,
      image,
      command,
      environment: Object.fromEntries(
        Object.entries(environment).map(([variable, value]) => [variable, interpolate(String(value), given)]),
      ),
      ...(healthcheck ? { healthcheck: healthcheck.test.slice(1) } : {}),
      stopSeconds: grace === undefined ? undefined : Number(/^(\d+)s$/.exec(grace)?.[1]),
    }),
  );
}

/** `${NAME:?why}` must be there, `${NAME:-else}` need not, as compose reads them. */
export function interpolate(text: string, given: Variables): string {
  return text.replaceAll(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, kind: string | undefined, rest = '') => {
    const value = given[name];
    if (value !== undefined && value !== '') return value;
    if (kind === '-') return rest;
    throw new Error(`${name} is required: ${rest}`);
  });
}

export function interpolated(text: string): { name: string; required: boolean }[] {
  return [...text.matchAll(/\$\{(\w+)(?::([?-])[^}]*)?\}/g)].map(([, name = '', kind]) => ({
    name,
    required: kind !== '-',
  }));
}

export interface Unit {
  readonly file: string;
  readonly settings: ReadonlyMap<string, readonly string[]>;
}

/** Those of the parts, or the other ones of a directory. */
export function readUnits(directory = join(DEPLOY, 'systemd')): Unit[] {
  return readdirSync(directory)
    .filter((file) => /\.(?:service|target|timer)$/.test(file))
    .toSorted()
    .map((file) => ({ file, settings: settingsOf(readFileSync(join(directory, file), 'utf8')) }));
}

/** The environment of a unit is its own lines, then the file, without what it unsets: systemd's order. */
export function readSystemd(bundle: Variables): DeployedPart[] {
  return readUnits()
    .filter(({ file }) => file.endsWith('.service'))
    .map(({ file, settings }) => {
      const own = Object.fromEntries((settings.get('Environment') ?? []).map((line) => splitLine(line)));
      const unset = (settings.get('UnsetEnvironment') ?? []).flatMap((line) => line.split(/\s+/));
      const all = { ...own, ...bundle };
      return {
        name: basename(file, '.service').replace(/^service-/, ''),
        command: (settings.get('ExecStart')?.[0] ?? '').split(' '),
        stopSeconds: Number(settings.get('TimeoutStopSec')?.[0]),
        environment: Object.fromEntries(Object.entries(all).filter(([name]) => !unset.includes(name))),
      };
    });
}

function settingsOf(text: string): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    if (!/^[A-Z]\w*=/.test(line)) continue;
    const [name, value] = splitLine(line);
    settings.set(name, [...(settings.get(name) ?? []), value]);
  }
  return settings;
}

function splitLine(line: string): [string, string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}

export function readEnvFile(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^[A-Z]\w*=/.test(line))
      .map(splitLine),
  );
}

interface EnvEntry {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean };
    readonly configMapKeyRef?: { readonly name: string; readonly key: string };
  };
}

export interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: number };
  readonly tcpSocket?: { readonly port: number };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly ports?: readonly { readonly containerPort: number }[];
  readonly env?: readonly EnvEntry[];
  readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string } }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources?: { readonly limits?: Variables; readonly requests?: Variables };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext?: {
    readonly privileged?: boolean;
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
  };
}

export interface Manifest {
  readonly file: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Variables;
  readonly resources?: readonly string[];
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: object;
    readonly ports?: readonly { readonly port: number; readonly targetPort: number }[];
    readonly podSelector?: object;
    readonly template?: {
      readonly metadata: { readonly labels: Variables };
      readonly spec: {
        readonly containers: readonly Container[];
        readonly automountServiceAccountToken?: boolean;
        readonly terminationGracePeriodSeconds?: number;
        readonly securityContext?: { readonly runAsNonRoot?: boolean };
      };
    };
  };
}

export function readManifests(): Manifest[] {
  return readdirSync(join(DEPLOY, 'kubernetes'))
    .toSorted()
    .flatMap((file) =>
      parseAllDocuments(readFileSync(join(DEPLOY, 'kubernetes', file), 'utf8')).map((document) => {
        if (document.errors[0]) throw new Error(`${file}: ${document.errors[0].message}`);
        return { file, ...(document.toJS() as Omit<Manifest, 'file'>) };
      }),
    );
}

/** Secrets are looked up in the bundle, whichever object of the cluster they are kept in. */
export function readKubernetes(secrets: Variables): DeployedPart[] {
  const manifests = readManifests();
  const configs = new Map(
    manifests.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata, data = {} }) => [metadata.name, data]),
  );
  return manifests.flatMap(({ kind, spec }) =>
    kind !== 'Deployment'
      ? []
      : (spec?.template?.spec.containers ?? []).map((container) => ({
          name: container.name,
          image: container.image,
          command: container.command ?? [],
          environment: environmentOf(container, configs, secrets),
          stopSeconds: spec?.template?.spec.terminationGracePeriodSeconds,
        })),
  );
}

function environmentOf(
  { env = [], envFrom = [] }: Container,
  configs: ReadonlyMap<string, Variables>,
  secrets: Variables,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const { configMapRef } of envFrom) Object.assign(environment, configs.get(configMapRef?.name ?? ''));
  for (const { name, value, valueFrom } of env) {
    const { secretKeyRef, configMapKeyRef } = valueFrom ?? {};
    const found =
      value ??
      (configMapKeyRef ? configs.get(configMapKeyRef.name)?.[configMapKeyRef.key] : undefined) ??
      (secretKeyRef ? secrets[secretKeyRef.key] : undefined);
    if (found !== undefined)
      environment[name] = found.replaceAll(/\$\((\w+)\)/g, (_, other: string) => environment[other] ?? '');
    else if (secretKeyRef?.optional !== true) throw new Error(`${name} is required`);
  }
  return environment;
}
