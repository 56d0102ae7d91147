import type { DeliveryOutcome, TriggerSource } from '../../../src/contract/standing/trigger-rules.ts';
import { inLanguage } from '../../language/language.ts';

export const triggerStrings = inLanguage('triggerStrings', {
  title: 'Triggers',
  description: 'A trigger has an address. What is delivered there, signed, starts a run.',
  list: 'Triggers',
  failed: 'Triggers could not be loaded',
  create: 'New trigger',
  createTitle: 'New trigger',
  empty: 'No triggers yet',
  emptyText: 'Let something outside start a run: an issue that is opened, a payment that fails, a message.',
  notFound: 'Trigger not found',
  notFoundText: 'It was deleted, or you may not see it.',
  back: 'All triggers',
  objectiveHint: 'Write {{path.to.field}} for a part of what is delivered. The whole of it is the file trigger.json.',
  source: 'Source',
  filter: 'Only if',
  filterHint:
    'One condition per line, such as @event=issues, action=["opened","reopened"], issue.milestone? or issue.milestone!',
  filterInvalid: (line: string): string => `This is not a condition: ${line}`,
  secret: 'Secret',
  secretHint: 'The one that the source shows. You can also add it later.',
  submit: 'Create trigger',
  created: 'Trigger created.',
  changed: 'Trigger changed.',
  deleted: 'Trigger deleted.',
  needsSecret: 'Needs a secret',
  deleteTitle: 'Delete this trigger?',
  deleteText: 'Its address and what was delivered to it are permanently deleted. Runs that it has started stay.',
  rotate: 'Replace secret',
  rotateTitle: 'Replace the secret',
  rotateText: 'The old secret counts for 24 hours more, so that you can change it at the source.',
  rotateGiven: 'The source makes its own secret: enter the new one.',
  rotated: 'Secret replaced.',
  madeTitle: 'Set up the source',
  madeText: 'Copy the secret now: it is not shown again.',
  close: 'Done',
  address: 'Address',
  pausedTitle: 'This trigger is paused',
  noSecretTitle: 'This trigger has no secret yet',
  noSecretText: 'Nothing that is delivered is accepted before it has one.',
  oldSecret: (until: string): string => `The old secret counts until ${until}.`,
  details: 'What it starts',
  where: 'At the source',
  none: 'Everything that is delivered',
  history: 'Deliveries',
  historyText: 'Deliveries, newest first',
  historyFailed: 'Deliveries could not be loaded',
  noHistory: 'Nothing was delivered yet',
  noHistoryText: 'Deliveries of the last seven days are listed here.',
  replay: 'Replay',
  replayed: 'A run was started.',
  isReplay: 'Replay',
  notKept: 'Payload no longer kept',
  test: 'Test',
  testTitle: 'Test the trigger',
  testText: 'Shows what a payload would start. Nothing is started.',
  payload: 'Payload (JSON)',
  payloadInvalid: 'Enter JSON.',
  event: 'Event',
  eventHint: 'What the source would name in its header, for @event.',
  tryIt: 'Show',
  passes: 'This would start a run:',
  keptOut: 'The filter keeps this out.',
  reach: 'What its runs can reach',
  reachNothing: 'No connected apps.',
  reachAll: 'All connections of the workspace, because none is chosen',
  riskTitle: 'Strangers can write what starts this run',
  riskText: (apps: string): string =>
    `Someone who writes there can try to give the run instructions, and it may change things in ${apps}. Choose only the connections that it needs, or turn off writes there.`,
});

export const triggerSourceNames = inLanguage('triggerSourceNames', {
  generic: 'Any program',
  github: 'GitHub',
  gitlab: 'GitLab',
  linear: 'Linear',
  slack: 'Slack',
  stripe: 'Stripe',
  'standard-webhooks': 'Standard Webhooks',
} satisfies Record<TriggerSource, string>);

/** Where the address and the secret go. */
export const triggerSourceSteps = inLanguage('triggerSourceSteps', {
  generic:
    'Send x-service-timestamp, the time in seconds, and x-service-signature: sha256= and the hexadecimal HMAC-SHA256 of "<timestamp>.<body>" with the secret.',
  github:
    'Settings, Webhooks, Add webhook: enter the address as payload URL, application/json as content type, and the secret. Filter with @event, such as @event=issues.',
  gitlab: 'Settings, Webhooks: enter the address. Save the signing token (whsec_…) or the secret token here as secret.',
  linear: 'Settings, API, Webhooks: enter the address. Save the signing secret (lin_wh_…) here as secret.',
  slack:
    'First save the signing secret from Basic Information here. Then enter the address as request URL under Event Subscriptions.',
  stripe: 'Developers, Webhooks: add the address as a destination. Save its signing secret (whsec_…) here as secret.',
  'standard-webhooks': 'Enter the address and the secret (whsec_…) where the sender asks for them.',
} satisfies Record<TriggerSource, string>);

export const deliveryOutcomeNames = inLanguage('deliveryOutcomeNames', {
  received: 'Received',
  started: 'Started',
  refused: 'Refused',
  filter: 'Filtered out',
  paused: 'While off',
} satisfies Record<DeliveryOutcome, string>);
