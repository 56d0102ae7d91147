// Every check, in the order in which a deployment comes up. What a check needs comes before it; where that is broken,
// it is not looked at, because it could only say the same again.
import {
  checkCatalogue,
  checkLimits,
  checkNames,
  checkPlatformCredit,
  checkRole,
  checkValues,
} from './environment-checks.ts';
import { checkDirectory, checkDisk, checkPrivateFiles, checkStackFile } from './file-checks.ts';
import type { Finding } from './finding.ts';
import { checkExposure, checkGateway, checkGraph, checkPublicUrl, checkPublicWay } from './gateway-checks.ts';
import {
  checkIntegrationVariables,
  checkProvider,
  checkProviderDefaults,
  checkSecretKey,
} from './integration-checks.ts';
import { checkCallback, checkOAuthApps } from './oauth-app-checks.ts';
import { checkProviderWebhook, checkWebhookSecret } from './webhook-checks.ts';
import { checkEntrance } from './entrance-checks.ts';
import { checkBroker, checkRoles, checkRuntime, checkSandbox, checkWeb } from './part-checks.ts';
import type { Patient } from './patient.ts';
import { checkKv, checkModelKeys, checkTraces } from './provider-checks.ts';
import { checkProviderKeys, checkReferences, checkStoredResponses } from './sealed-checks.ts';
import {
  checkAuthSecret,
  checkBundleGiven,
  checkConnectSecret,
  checkDebugAccess,
  checkPlaceholders,
  checkWrappingKeys,
} from './secret-checks.ts';
import { checkClock, checkReachable, checkSchema, checkServer } from './storage-checks.ts';
import type { SecretName } from '../../../stack/secret-readers.ts';

export interface Check {
  /** What it looks at; docs/operators/doctor.md lists it. */
  readonly about: string;
  readonly look: (patient: Patient) => readonly Finding[] | Promise<readonly Finding[]>;
  readonly needs?: readonly string[];
  /** Without these it cannot judge: in the environment of a role that is not given one of them it is left out. */
  readonly secrets?: readonly SecretName[];
}

export const CHECKS: Readonly<Record<string, Check>> = {
  'environment.values': { about: 'every variable has a value that the service takes', look: checkValues },
  'environment.names': {
    about: 'no variable is set that nobody reads: misspelt names, names of before',
    look: checkNames,
  },
  'environment.role': { about: '`SERVICE_PROCESS_ROLE` is one of the five roles', look: checkRole },
  'environment.models': { about: '`SERVICE_MODEL_CATALOG` loads', look: checkCatalogue },
  'secrets.auth': { about: '`AUTH_SECRET` is set and long', look: checkAuthSecret, secrets: ['AUTH_SECRET'] },
  'secrets.connect': {
    about: 'connect tokens have a secret, and not the one of diagnostics',
    look: checkConnectSecret,
    secrets: ['SERVICE_CONNECT_JWT_SECRET'],
  },
  'secrets.keys': {
    about: 'both encryption keys are there, made by a machine, and not the same',
    look: checkWrappingKeys,
  },
  'secrets.placeholders': { about: 'no value is a placeholder', look: checkPlaceholders },
  'secrets.debug': { about: 'the debug token and secret can be sent and cannot be guessed', look: checkDebugAccess },
  'secrets.bundle': { about: 'with `--bundle FILE`: the secrets bundle would be taken', look: checkBundleGiven },
  'files.directory': {
    about: 'the data directory is there, writable, and writable by nobody else',
    look: checkDirectory,
  },
  'files.modes': { about: 'files that hold secrets are whole, and for their owner alone', look: checkPrivateFiles },
  'files.disk': { about: 'there is room where the data directory lies', look: checkDisk },
  'files.stack': {
    about: '`npm start`, where it runs: still there, and no part started again and again',
    look: checkStackFile,
  },
  'storage.reachable': { about: 'PostgreSQL answers at `SERVICE_UPSTREAM_DB`', look: checkReachable },
  'storage.server': {
    about: 'its version, encoding, whether it can be written, connections left',
    look: checkServer,
    needs: ['storage.reachable'],
  },
  'storage.clock': {
    about: 'its clock and the one of this machine agree',
    look: checkClock,
    needs: ['storage.reachable'],
  },
  'storage.schema': {
    about: 'the schema is there with exactly the migrations of this build, or may be made',
    look: checkSchema,
    needs: ['storage.reachable'],
  },
  'storage.provider-keys': {
    about: 'stored provider keys and Models accounts open with `BYOK_ENCRYPTION_KEY_B64`',
    look: checkProviderKeys,
    needs: ['storage.schema'],
    secrets: ['BYOK_ENCRYPTION_KEY_B64'],
  },
  'storage.connections': {
    about: 'stored connections open with `SERVICE_CONNECTION_ENCRYPTION_KEY_B64`',
    look: checkReferences,
    needs: ['storage.schema'],
    secrets: ['SERVICE_CONNECTION_ENCRYPTION_KEY_B64'],
  },
  'storage.responses': {
    about: 'stored responses open with `SERVICE_CONNECTION_ENCRYPTION_KEY_B64`',
    look: checkStoredResponses,
    needs: ['storage.schema'],
    secrets: ['SERVICE_CONNECTION_ENCRYPTION_KEY_B64'],
  },
  'parts.broker': {
    about: 'the broker answers, takes `SERVICE_BROKER_TOKEN`, and nobody without it',
    look: checkBroker,
  },
  'parts.roles': {
    about: 'a process of each of the five roles and the web server run, all of one version',
    look: checkRoles,
    needs: ['storage.schema'],
  },
  'parts.runtime': { about: 'the runtime answers', look: checkRuntime },
  'parts.web': { about: 'the web server answers', look: checkWeb },
  'parts.sandbox': { about: 'the sandbox controller answers, and is safe', look: checkSandbox },
  'gateway.public-url': {
    about: '`SERVICE_PUBLIC_URL` is a whole origin, https where others reach it',
    look: checkPublicUrl,
  },
  'gateway.reachable': { about: 'the gateway answers, and the runtime through it', look: checkGateway },
  'gateway.graph': {
    about: 'every public service of the service graph answers through the gateway',
    look: checkGraph,
    needs: ['gateway.reachable'],
  },
  'gateway.exposure': {
    about: 'private services are not shown to everybody, nor to who forges `Host: localhost`',
    look: checkExposure,
  },
  'gateway.public-way': {
    about: 'the public URL leads here from outside, and shows no private service',
    look: checkPublicWay,
    needs: ['gateway.public-url'],
  },
  'integrations.variables': {
    about: 'the three variables are set',
    look: checkIntegrationVariables,
    secrets: ['SERVICE_INTEGRATIONS_SECRET_KEY', 'SERVICE_INTEGRATIONS_WEBHOOK_SECRET'],
  },
  'integrations.secret-key': { about: 'the secret key is a UUID v4', look: checkSecretKey },
  'integrations.provider': {
    about: 'the provider answers and takes the secret key',
    look: checkProvider,
    needs: ['integrations.secret-key'],
  },
  'integrations.webhook-secret': {
    about: 'the runtime takes what is signed with the webhook secret',
    look: checkWebhookSecret,
    needs: ['parts.runtime', 'integrations.variables'],
  },
  'integrations.webhook': {
    about: "the provider's webhook: URL, events, HMAC and its key, in its database",
    look: checkProviderWebhook,
    secrets: ['SERVICE_INTEGRATIONS_DATABASE_URL'],
  },
  'integrations.callback': { about: 'the OAuth callback: https, no port, no trailing slash', look: checkCallback },
  'integrations.oauth-apps': {
    about: 'credentials of OAuth apps come in pairs and belong to a connector',
    look: checkOAuthApps,
  },
  'integrations.defaults': {
    about: "the provider's default at-rest key, its default dashboard login, a dashboard without one",
    look: checkProviderDefaults,
  },
  'identity.entrance': {
    about: "strangers who sign up at a public address cannot spend the deployment's model key",
    look: checkEntrance,
    secrets: ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY'],
  },
  'models.keys': {
    about: "the deployment's own keys are live",
    look: checkModelKeys,
    secrets: ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY'],
  },
  'limits.chat': { about: 'the request limit is on', look: checkLimits },
  'limits.platform': {
    about: 'what of platform credit this month has used, and whether a ceiling bounds it',
    look: checkPlatformCredit,
    needs: ['storage.schema'],
    secrets: ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY'],
  },
  'limits.store': {
    about: 'Redis or Valkey answers, where `SERVICE_KV_URL` names one',
    look: checkKv,
    secrets: ['SERVICE_KV_URL'],
  },
  'traces.collector': { about: 'the trace collector answers, where there is one', look: checkTraces },
};
