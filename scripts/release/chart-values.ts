// What an operator may set in the chart, a row per value: its name in values.yaml, and the places in deploy/kubernetes
// that it stands for, as "Kind/name path". The default is what the manifests say there, so a default install is what
// kustomize would apply.

export interface ChartValue {
  readonly value: string;
  readonly about: string;
  readonly where: RegExp;
  /** Places that the manifests leave empty: the line is only there if the value is set. */
  readonly absent?: { readonly in: RegExp; readonly key: string; readonly otherwise: '' | readonly string[] };
}

const replicas = (value: string, name: string): ChartValue => ({
  value: `replicas.${value}`,
  about: `Pods of ${name}.`,
  where: new RegExp(`^Deployment/${name} spec\\.replicas$`),
});
const NEVER = /(?!)/;

export const CHART_VALUES: readonly ChartValue[] = [
  {
    value: 'publicUrl',
    about: 'The address that people and programs use. HTTPS, no trailing slash.',
    where: /^ConfigMap\/service-addresses data\.SERVICE_PUBLIC_URL$/,
  },
  {
    value: 'trustedProxies',
    about: "The ingress controller's network: x-forwarded-for is trusted from there only.",
    where: /^ConfigMap\/service-addresses data\.SERVICE_TRUSTED_PROXIES$/,
  },
  {
    value: 'ingress.host',
    about: 'The host of publicUrl.',
    where: /^Ingress\/agent-platform spec\.(?:tls\.0\.hosts\.0|rules\.0\.host)$/,
  },
  {
    value: 'ingress.tlsSecret',
    about: 'The secret with its certificate.',
    where: /^Ingress\/agent-platform spec\.tls\.0\.secretName$/,
  },
  {
    value: 'ingress.className',
    about: 'Empty: the default class of the cluster.',
    where: NEVER,
    absent: { in: /^Ingress\/agent-platform spec$/, key: 'ingressClassName', otherwise: '' },
  },
  {
    value: 'ingress.controllerNamespace',
    about: 'The namespace whose pods may connect to the gateway.',
    where: /^NetworkPolicy\/gateway spec\.ingress\.0\.from\.0\.namespaceSelector\./,
  },
  {
    value: 'monitoringNamespace',
    about: 'The namespace whose pods may read the metrics.',
    where:
      /^NetworkPolicy\/(?:monitoring spec\.ingress\.0|sandbox spec\.ingress\.1)\.from\.0\.namespaceSelector\.matchLabels\./,
  },
  {
    value: 'images.service',
    about: 'Every part but the sandbox: with your registry, and by digest if you like.',
    where: /^Deployment\/(?!sandbox |nango )\S+ spec\.template\.spec\.containers\.0\.image$/,
  },
  {
    value: 'images.sandbox',
    about: 'The sandbox controller, with what runs may use.',
    where: /^Deployment\/sandbox spec\.template\.spec\.containers\.0\.image$/,
  },
  {
    value: 'images.nango',
    about: 'The integration provider.',
    where: /^Deployment\/nango spec\.template\.spec\.containers\.0\.image$/,
  },
  {
    value: 'imagePullSecrets',
    about: 'For a private registry: [{ name: <secret> }], in both namespaces.',
    where: NEVER,
    absent: { in: /^Deployment\/\S+ spec\.template\.spec$/, key: 'imagePullSecrets', otherwise: [] },
  },
  replicas('gateway', 'gateway'),
  replicas('web', 'web'),
  replicas('api', 'runtime-api'),
  replicas('broker', 'broker'),
  replicas('chatWorkers', 'runtime-worker-chat'),
  replicas('controlWorkers', 'runtime-worker-control'),
  replicas('codexWorkers', 'runtime-worker-codex'),
  {
    value: 'storage.size',
    about: 'Artifacts of runs and checkpoints.',
    where: /^PersistentVolumeClaim\/service-data spec\.resources\.requests\.storage$/,
  },
  {
    value: 'storage.className',
    about: 'A class whose volumes many nodes can mount at once. Empty: the default of the cluster.',
    where: NEVER,
    absent: { in: /^PersistentVolumeClaim\/service-data spec$/, key: 'storageClassName', otherwise: '' },
  },
  {
    value: 'database.network',
    about: 'Where PostgreSQL is: nothing else is reachable on its port.',
    where: /^NetworkPolicy\/database spec\.egress\.0\.to\.0\.ipBlock\.cidr$/,
  },
  {
    value: 'database.port',
    about: 'Its port.',
    where: /^NetworkPolicy\/database spec\.egress\.0\.ports\.0\.port$/,
  },
  {
    value: 'signUp',
    about: 'Who may sign up: open, invited or closed. See docs/operators/install.md.',
    where: /^ConfigMap\/service-entrance data\.SERVICE_SIGN_UP$/,
  },
  {
    value: 'newOrganizations',
    about: 'Who may create organizations: anyone or the operator.',
    where: /^ConfigMap\/service-entrance data\.SERVICE_NEW_ORGANIZATIONS$/,
  },
  {
    value: 'firstPlan',
    about: 'The plan of a new organization.',
    where: /^ConfigMap\/service-entrance data\.SERVICE_FIRST_PLAN$/,
  },
  {
    value: 'organizationsPerPerson',
    about: 'How many organizations a person may create.',
    where: /^ConfigMap\/service-entrance data\.SERVICE_ORGANIZATIONS_PER_PERSON$/,
  },
  {
    value: 'logLevel',
    about: 'Of every part.',
    where: /^ConfigMap\/service-storage data\.SERVICE_LOG_LEVEL$/,
  },
];

/** The namespace of the sandbox, wherever a name contains it. The other namespace is that of the Helm release. */
export const SANDBOX_NAMESPACE = {
  value: 'sandboxNamespace',
  about: 'The namespace of the sandbox, whose pods are privileged.',
  name: 'agent-platform-sandbox',
} as const;
export const MAIN_NAMESPACE = {
  name: 'agent-platform',
  where: /(?: metadata\.namespace|\.namespaceSelector\.matchLabels\.kubernetes\.io\/metadata\.name)$/,
} as const;
