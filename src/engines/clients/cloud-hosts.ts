// Which hosts of a cloud the clients of a run may reach: the APIs of the services below, each at its own host name. Names
// under the same domain that any customer can create are not included: machines, load balancers, gateways, functions,
// websites. Requests are encrypted and signed by the client, so only the host can be checked here; docs/security.md
// describes what that leaves open.

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

/** Services with one host for all regions. */
const AWS_GLOBAL = ['cloudfront', 'iam', 'route53', 's3', 'sts'] as const;

/** A bucket's name precedes the host. */
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

/** Services that also have a host per region. */
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
