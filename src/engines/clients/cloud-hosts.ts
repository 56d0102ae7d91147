// Which hosts of a cloud the clients of a run may reach: the interfaces of the services below, each at its own name.
// Names beneath the same domain that anybody can have are not among them: machines, load balancers, gateways, functions,
// websites. Requests are inside TLS and signed by the client, so the host is all that can be judged here; docs/security.md
// says what that leaves open.

const AWS_SERVICES = [
  'acm',
  'apigateway',
  'application-autoscaling',
  'athena',
  'autoscaling',
  'backup',
  'batch',
  'bedrock',
  'bedrock-runtime',
  'ce',
  'cloudcontrolapi',
  'cloudformation',
  'cloudtrail',
  'codebuild',
  'codepipeline',
  'cognito-idp',
  'config',
  'dynamodb',
  'ec2',
  'ecs',
  'eks',
  'elasticache',
  'elasticfilesystem',
  'elasticloadbalancing',
  'elasticmapreduce',
  'es',
  'events',
  'firehose',
  'glue',
  'guardduty',
  'iam',
  'kinesis',
  'kms',
  'lambda',
  'logs',
  'monitoring',
  'organizations',
  'rds',
  'redshift',
  'redshift-data',
  'resource-groups',
  'route53',
  's3',
  'secretsmanager',
  'securityhub',
  'servicequotas',
  'sns',
  'sqs',
  'ssm',
  'states',
  'sts',
  'support',
  'tagging',
  'wafv2',
  'xray',
  'api.ecr',
  'api.pricing',
  'api.sagemaker',
  'runtime.sagemaker',
] as const;

/** Services that have one host for all regions. */
const AWS_GLOBAL = ['cloudfront', 'iam', 'route53', 's3', 'sts'] as const;

/** A bucket is addressed by its name in front of the host. */
const AWS_BUCKETS = ['*.s3.<region>.amazonaws.com', '*.s3.amazonaws.com'] as const;

const GOOGLE_SERVICES = [
  'aiplatform',
  'artifactregistry',
  'bigquery',
  'bigquerystorage',
  'bigtableadmin',
  'cloudasset',
  'cloudbilling',
  'cloudbuild',
  'cloudfunctions',
  'cloudkms',
  'cloudresourcemanager',
  'cloudscheduler',
  'cloudtasks',
  'compute',
  'container',
  'dataflow',
  'dataproc',
  'dns',
  'file',
  'firestore',
  'iam',
  'iamcredentials',
  'logging',
  'monitoring',
  'oauth2',
  'pubsub',
  'redis',
  'run',
  'secretmanager',
  'serviceusage',
  'spanner',
  'sqladmin',
  'storage',
] as const;

/** Services that have a host for each region, too. */
const GOOGLE_REGIONAL = ['aiplatform', 'dataproc', 'logging', 'run'] as const;

const onHttps = (hosts: readonly string[]): string[] => hosts.map((host) => `${host}:443`);

export const AWS_HOSTS: readonly string[] = onHttps([
  ...AWS_SERVICES.map((service) => `${service}.<region>.amazonaws.com`),
  ...AWS_GLOBAL.map((service) => `${service}.amazonaws.com`),
  ...AWS_BUCKETS,
]);

export const GCLOUD_HOSTS: readonly string[] = onHttps([
  ...GOOGLE_SERVICES.map((service) => `${service}.googleapis.com`),
  ...GOOGLE_REGIONAL.map((service) => `<region>-${service}.googleapis.com`),
]);
