// Every check, in the order in which a deployment comes up. Prerequisites come first; if one fails, the checks that
// depend on it are skipped, because they could only repeat it.
import { checkBuilds } from './build-checks.ts';
import { checkCheckpoints } from './checkpoint-check.ts';
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
import {
  checkExposure,
  checkGateway,
  checkGraph,
  checkProxies,
  checkPublicUrl,
  checkPublicWay,
} from './gateway-checks.ts';
import {
  checkIntegrationVariables,
  checkProvider,
  checkProviderDefaults,
  checkSecretKey,
} from './integration-checks.ts';
import { checkCallback, checkOAuthApps } from './oauth-app-checks.ts';
import { checkProviderWebhook, checkWebhookSecret } from './webhook-checks.ts';
import { checkEntrance } from './entrance-checks.ts';
import { checkOpenIdGroups, checkOpenIdProvider, checkOpenIdVariables } from './openid-checks.ts';
import { checkBroker, checkClocks, checkRoles, checkRuntime, checkSandbox, checkWeb } from './part-checks.ts';
import type { Deployment } from './deployment.ts';
import { checkMailQueue, checkMailServer } from './mail-checks.ts';
import { checkChains } from './chain-checks.ts';
import { checkKv, checkModelKeys, checkTraces } from './provider-checks.ts';
import { checkEnvironments, checkProviderKeys, checkReferences, checkStoredResponses } from './sealed-checks.ts';
import {
  checkAuthSecret,
  checkBundleGiven,
  checkConnectSecret,
  checkDebugAccess,
  checkPlaceholders,
  checkWrappingKeys,
} from './secret-checks.ts';
import { checkSchedules } from './schedule-checks.ts';
import { checkScimTokens } from './scim-checks.ts';
import { checkTriggers } from './trigger-checks.ts';
import { checkClock, checkNotifications, checkReachable, checkSchema, checkServer } from './storage-checks.ts';
import { checkSubscriptions } from './subscription-checks.ts';
import type { SecretName } from '../../../stack/secret-readers.ts';
import { KEY_VARIABLES } from '../../../model-providers/providers.ts';

export interface Check {
  /** What it checks; docs/operators/doctor.md lists it. */
  readonly about: string;
  readonly look: (deployment: Deployment) => readonly Finding[] | Promise<readonly Finding[]>;
  readonly needs?: readonly string[];
  /** The secrets that it needs: it is left out in the environment of a role that does not get one of them. */
  readonly secrets?: readonly SecretName[];
  /** What it says may name people, organizations or hosts, or repeat another program: a support bundle has its level only. */
  readonly names?: true;
}

export const CHECKS: Readonly<Record<string, Check>> = {
  'environment.values': { about: 'every variable has a valid value', look: checkValues },
  'environment.names': {
    about: 'no variable is set that nothing reads: misspelt or outdated names',
    look: checkNames,
  },
  'environment.role': { about: '`SERVICE_PROCESS_ROLE` is one of the roles', look: checkRole },
  'environment.models': { about: '`SERVICE_MODEL_CATALOG` loads', look: checkCatalogue, names: true },
  'secrets.auth': { about: '`AUTH_SECRET` is set and long', look: checkAuthSecret, secrets: ['AUTH_SECRET'] },
  'secrets.connect': {
    about: 'connect tokens have a secret, different from that of diagnostics',
    look: checkConnectSecret,
    secrets: ['SERVICE_CONNECT_JWT_SECRET'],
  },
  'secrets.keys': {
    about: 'both encryption keys are set, random and different',
    look: checkWrappingKeys,
  },
  'secrets.placeholders': { about: 'no value is a placeholder', look: checkPlaceholders },
  'secrets.debug': { about: 'the debug token and secret are valid and hard to guess', look: checkDebugAccess },
  'secrets.bundle': { about: 'with `--bundle FILE`: the secrets bundle would be taken', look: checkBundleGiven },
  'files.directory': {
    about: 'the data directory exists and only its owner can write to it',
    look: checkDirectory,
  },
  'files.modes': { about: 'files with secrets are intact and readable only by their owner', look: checkPrivateFiles },
  'files.disk': { about: 'the data directory has enough free space', look: checkDisk },
  'files.stack': {
    about: '`npm start`, if used: it is running, and no part keeps restarting',
    look: checkStackFile,
  },
  'storage.reachable': { about: 'PostgreSQL answers at `SERVICE_UPSTREAM_DB`', look: checkReachable },
  'storage.server': {
    about: 'its version and encoding, that it is writable, and that connections are left',
    look: checkServer,
    needs: ['storage.reachable'],
  },
  'storage.clock': {
    about: 'its clock agrees with that of this machine',
    look: checkClock,
    needs: ['storage.reachable'],
  },
  'storage.notifications': {
    about: 'notifications arrive, which some poolers lose',
    look: checkNotifications,
    needs: ['storage.reachable'],
  },
  'storage.schema': {
    about: 'the schema has exactly the migrations of this build, or can be created',
    look: checkSchema,
    needs: ['storage.reachable'],
  },
  'storage.checkpoints': {
    about: 'the database has every checkpoint of the data directory: it was not set back',
    look: checkCheckpoints,
    needs: ['storage.schema'],
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
  'storage.environments': {
    about: 'secrets of environments open with `SERVICE_CONNECTION_ENCRYPTION_KEY_B64`',
    look: checkEnvironments,
    needs: ['storage.schema'],
    secrets: ['SERVICE_CONNECTION_ENCRYPTION_KEY_B64'],
  },
  'storage.chains': {
    about: 'the last verification of all receipt streams found no fault, and was at most two days ago',
    look: checkChains,
    needs: ['storage.schema'],
  },
  'parts.broker': {
    about: 'the broker answers, accepts `SERVICE_BROKER_TOKEN` and requires it',
    look: checkBroker,
  },
  'parts.roles': {
    about: 'all roles and the web server are running',
    look: checkRoles,
    needs: ['storage.schema'],
  },
  'parts.clocks': {
    about: 'the clocks of the machines of all parts agree with that of PostgreSQL',
    look: checkClocks,
    needs: ['storage.schema'],
  },
  'parts.builds': {
    about: 'every part that answers is of one build, that of this program',
    look: checkBuilds,
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
    about: 'private services are not exposed, not even to requests that forge `Host: localhost`',
    look: checkExposure,
  },
  'gateway.proxies': {
    about: '`SERVICE_TRUSTED_PROXIES` names proxies, not everyone',
    look: checkProxies,
  },
  'gateway.public-way': {
    about: 'the public URL leads to this service and exposes no private one',
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
    about: 'the provider answers and accepts the secret key',
    look: checkProvider,
    names: true,
    needs: ['integrations.secret-key'],
  },
  'integrations.webhook-secret': {
    about: 'the runtime accepts webhooks signed with the secret',
    look: checkWebhookSecret,
    needs: ['parts.runtime', 'integrations.variables'],
  },
  'integrations.webhook': {
    about: "the provider's webhook: URL, events, HMAC and its key, in its database",
    look: checkProviderWebhook,
    names: true,
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
    secrets: KEY_VARIABLES,
  },
  'mail.server': {
    about:
      'mail: both variables are set, and the server takes the connection, its encryption and the user; none is sent',
    look: checkMailServer,
    names: true,
  },
  'mail.queue': {
    about: 'no mail has waited for more than an hour',
    look: checkMailQueue,
    needs: ['storage.schema'],
  },
  'subscriptions.delivery': {
    about: 'no subscription has been failing for a day, or was turned off for it',
    look: checkSubscriptions,
  },
  'runs.schedules': {
    about: 'schedules start in time, and none is paused or without its person',
    look: checkSchedules,
    needs: ['storage.schema'],
  },
  'runs.triggers': {
    about: 'deliveries reach triggers, and none is paused or without its person',
    look: checkTriggers,
    needs: ['storage.schema'],
  },
  'identity.scim': {
    about: 'SCIM tokens of organizations are in use, and may make accounts',
    look: checkScimTokens,
    names: true,
    needs: ['storage.schema'],
  },
  'identity.openid': {
    about: 'the variables of the OpenID provider belong together, and someone can sign in while it is down',
    look: checkOpenIdVariables,
    names: true,
  },
  'identity.provider': {
    about:
      'the OpenID provider answers as the configured issuer, its clock agrees, and where it has to send people back to',
    look: checkOpenIdProvider,
    names: true,
    needs: ['identity.openid'],
  },
  'identity.groups': {
    about: 'organizations and workspaces in `SERVICE_OIDC_GROUPS` exist',
    look: checkOpenIdGroups,
    names: true,
    needs: ['identity.openid', 'storage.schema'],
  },
  'models.keys': {
    about: "the deployment's own keys are live",
    look: checkModelKeys,
    secrets: KEY_VARIABLES,
  },
  'limits.chat': { about: 'the request limit is on', look: checkLimits },
  'limits.platform': {
    about: 'how much platform credit was used this month, and whether a ceiling limits it',
    look: checkPlatformCredit,
    needs: ['storage.schema'],
    secrets: KEY_VARIABLES,
  },
  'limits.store': {
    about: 'Redis or Valkey answers, where `SERVICE_KV_URL` names one',
    look: checkKv,
    secrets: ['SERVICE_KV_URL'],
  },
  'traces.collector': { about: 'the trace collector answers, if one is set', look: checkTraces },
};
