// The objects that deploy/kubernetes and the chart use, as the API of Kubernetes describes them, with no field beside
// those: what a server would refuse or, worse, ignore, is refused here.
import { z } from 'zod';

const name = z.string().regex(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/);
const label = z.string().regex(/^(?:[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?)?$/);
const quantity = z.string().regex(/^\d+(?:\.\d+)?(?:m|Ki|Mi|Gi|Ti)?$/);
const port = z.int().min(1).max(65_535);
const labels = z.record(z.string(), label);
const metadata = z.strictObject({
  name,
  namespace: name.optional(),
  labels: labels.optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});
const selector = z.strictObject({
  matchLabels: labels.optional(),
  matchExpressions: z
    .array(z.strictObject({ key: z.string(), operator: z.enum(['In', 'NotIn', 'Exists']), values: z.array(label) }))
    .optional(),
});
const key = z.strictObject({ name, key: z.string(), optional: z.boolean().optional() });
const variable = z.union([
  z.strictObject({ name: z.string(), value: z.string() }),
  z.strictObject({
    name: z.string(),
    valueFrom: z.union([z.strictObject({ secretKeyRef: key }), z.strictObject({ configMapKeyRef: key })]),
  }),
]);
const times = {
  periodSeconds: z.int().positive(),
  failureThreshold: z.int().positive(),
  timeoutSeconds: z.int().positive().optional(),
};
const probe = z.union([
  z.strictObject({ tcpSocket: z.strictObject({ port }), ...times }),
  z.strictObject({ httpGet: z.strictObject({ path: z.string().startsWith('/'), port }), ...times }),
]);
const resources = z.strictObject({ cpu: quantity, memory: quantity });
const container = z.strictObject({
  name,
  image: z.string().min(1),
  command: z.array(z.string()).optional(),
  ports: z.array(z.strictObject({ name, containerPort: port })).optional(),
  env: z.array(variable).optional(),
  envFrom: z
    .array(z.strictObject({ configMapRef: z.strictObject({ name, optional: z.boolean().optional() }) }))
    .optional(),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  resources: z.strictObject({ requests: resources, limits: resources }),
  securityContext: z.strictObject({
    privileged: z.boolean().optional(),
    runAsUser: z.int().optional(),
    allowPrivilegeEscalation: z.boolean().optional(),
    readOnlyRootFilesystem: z.boolean().optional(),
    capabilities: z.strictObject({ drop: z.array(z.string()) }).optional(),
  }),
  volumeMounts: z
    .array(z.strictObject({ name, mountPath: z.string().startsWith('/'), readOnly: z.boolean().optional() }))
    .optional(),
});
const volume = z.union([
  z.strictObject({
    name,
    emptyDir: z.strictObject({ medium: z.literal('Memory').optional(), sizeLimit: quantity }),
  }),
  z.strictObject({
    name,
    persistentVolumeClaim: z.strictObject({ claimName: name, readOnly: z.boolean().optional() }),
  }),
  z.strictObject({ name, hostPath: z.strictObject({ path: z.string(), type: z.literal('Directory') }) }),
]);
const pod = z.strictObject({
  restartPolicy: z.enum(['Always', 'OnFailure', 'Never']).optional(),
  automountServiceAccountToken: z.literal(false),
  enableServiceLinks: z.boolean().optional(),
  terminationGracePeriodSeconds: z.int().optional(),
  shareProcessNamespace: z.boolean().optional(),
  nodeSelector: labels.optional(),
  imagePullSecrets: z.array(z.strictObject({ name })).optional(),
  securityContext: z
    .strictObject({
      runAsNonRoot: z.boolean(),
      runAsUser: z.int(),
      runAsGroup: z.int().optional(),
      fsGroup: z.int().optional(),
      seccompProfile: z.strictObject({ type: z.enum(['RuntimeDefault', 'Localhost']) }),
    })
    .optional(),
  topologySpreadConstraints: z
    .array(
      z.strictObject({
        maxSkew: z.int().positive(),
        topologyKey: z.string(),
        whenUnsatisfiable: z.enum(['ScheduleAnyway', 'DoNotSchedule']),
        labelSelector: selector,
      }),
    )
    .optional(),
  containers: z.array(container).min(1),
  volumes: z.array(volume).optional(),
});
const peer = z.strictObject({
  podSelector: selector.optional(),
  namespaceSelector: selector.optional(),
  ipBlock: z.strictObject({ cidr: z.cidrv4(), except: z.array(z.cidrv4()).optional() }).optional(),
});
const ports = z.array(z.strictObject({ protocol: z.enum(['TCP', 'UDP']).optional(), port, endPort: port.optional() }));
const backend = z.strictObject({
  service: z.strictObject({ name, port: z.strictObject({ number: port }) }),
});

const object = <T extends z.ZodType>(apiVersion: string, kind: string, spec: T) =>
  z.strictObject({ apiVersion: z.literal(apiVersion), kind: z.literal(kind), metadata, spec });

export const kubernetesObject = z.union([
  z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.literal('ConfigMap'),
    metadata,
    data: z.record(z.string(), z.string()),
  }),
  object(
    'apps/v1',
    'Deployment',
    z.strictObject({
      replicas: z.int().min(0),
      revisionHistoryLimit: z.int().optional(),
      strategy: z.strictObject({ type: z.enum(['Recreate', 'RollingUpdate']) }).optional(),
      selector,
      template: z.strictObject({ metadata: z.strictObject({ labels }), spec: pod }),
    }),
  ),
  object(
    'batch/v1',
    'CronJob',
    z.strictObject({
      schedule: z.string().regex(/^(?:[\d*/,-]+ ){4}[\d*/,-]+$/),
      timeZone: z.string().optional(),
      concurrencyPolicy: z.enum(['Allow', 'Forbid', 'Replace']),
      jobTemplate: z.strictObject({
        spec: z.strictObject({
          backoffLimit: z.int().min(0),
          activeDeadlineSeconds: z.int().positive(),
          template: z.strictObject({ metadata: z.strictObject({ labels }), spec: pod }),
        }),
      }),
    }),
  ),
  object(
    'v1',
    'Service',
    z.strictObject({ selector: labels, ports: z.array(z.strictObject({ name, port, targetPort: port })) }),
  ),
  object('policy/v1', 'PodDisruptionBudget', z.strictObject({ maxUnavailable: z.int().positive(), selector })),
  object(
    'v1',
    'PersistentVolumeClaim',
    z.strictObject({
      accessModes: z.array(z.enum(['ReadWriteMany', 'ReadWriteOnce'])),
      storageClassName: z.string().optional(),
      resources: z.strictObject({ requests: z.strictObject({ storage: quantity }) }),
    }),
  ),
  object(
    'networking.k8s.io/v1',
    'NetworkPolicy',
    z.strictObject({
      podSelector: selector,
      policyTypes: z.array(z.enum(['Ingress', 'Egress'])).min(1),
      ingress: z.array(z.strictObject({ from: z.array(peer).optional(), ports: ports.optional() })).optional(),
      egress: z.array(z.strictObject({ to: z.array(peer).optional(), ports: ports.optional() })).optional(),
    }),
  ),
  object(
    'networking.k8s.io/v1',
    'Ingress',
    z.strictObject({
      ingressClassName: name.optional(),
      tls: z.array(z.strictObject({ hosts: z.array(name), secretName: name })),
      rules: z.array(
        z.strictObject({
          host: name,
          http: z.strictObject({
            paths: z.array(z.strictObject({ path: z.string(), pathType: z.enum(['Prefix', 'Exact']), backend })),
          }),
        }),
      ),
    }),
  ),
]);
