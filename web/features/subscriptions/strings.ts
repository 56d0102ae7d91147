import type { SubscriptionEvent } from '../../../src/contract/subscriptions/subscriptions.ts';
import { plural } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';
import type { Delivery, Subscription } from './queries.ts';

export const subscriptionStrings = inLanguage('subscriptionStrings', {
  title: 'Subscriptions',
  description:
    'Addresses of your own programs that are told what happens, such as a run that ends. A message is signed and has IDs and states only, never content.',
  refusedTitle: 'Only owners and admins can manage subscriptions',
  refusedText: 'Ask an owner or admin of your workspace or organization to have an address told.',
  list: 'Subscriptions',
  create: 'New subscription',
  failed: 'The subscriptions could not be loaded',
  empty: 'No subscriptions yet',
  emptyText: 'Have your own program told when a run ends, a connection breaks or a cap is used up.',
  wholeOrganization: 'Whole organization',
  madeBy: (name: string): string => `by ${name}`,
  events: {
    'run.completed': 'Run completed',
    'run.failed': 'Run failed',
    'run.aborted': 'Run aborted',
    'schedule.paused': 'Schedule paused by the service',
    'connection.invalid': 'Connection no longer works',
    'cap.reached': 'Monthly cap used up',
  } satisfies Record<SubscriptionEvent, string>,
  on: 'On',
  failing: 'Failing',
  off: 'Off',
  failingSince: 'Nothing was delivered since',
  disabled: {
    by_person: 'Turned off by a person',
    failing: 'Turned off by the service, because nothing could be delivered for three days',
    gone: 'Turned off by the service, because the address answered that it takes no more messages (410)',
  } satisfies Record<NonNullable<Subscription['disabled']>['reason'], string>,
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  turnedOn: 'The subscription is on.',
  turnedOff: 'The subscription is off.',
  edit: 'Edit',
  delete: 'Delete',
  deleteTitle: 'Delete this subscription?',
  deleteText: (url: string): string => `${url} is not told any longer. Messages that wait are not sent.`,
  deleted: 'Subscription deleted.',
});

export const subscriptionFormStrings = inLanguage('subscriptionFormStrings', {
  createTitle: 'New subscription',
  editTitle: 'Edit subscription',
  url: 'Address',
  urlHint:
    'An https address that is reachable from the internet. It answers with a status from 200 to 299 within 15 seconds.',
  urlRequired: 'Enter an address, such as https://hooks.example.org/runs.',
  eventsLabel: 'What it is told',
  eventsRequired: 'Choose at least one.',
  place: 'Where',
  placeHint: 'This cannot be changed later.',
  wholeOrganization: 'The whole organization',
  submit: 'Create subscription',
  save: 'Save changes',
  saved: 'Subscription changed.',
  madeTitle: 'Subscription created',
  madeText: 'Copy the secret now: it is not shown again. Your program verifies every message with it.',
  secret: 'Secret',
  done: 'Done',
});

export const deliveryStrings = inLanguage('deliveryStrings', {
  open: 'Deliveries',
  title: 'Deliveries',
  text: 'What was sent to this address in the last seven days, latest first. A message that is sent again keeps its ID.',
  list: 'Deliveries',
  failed: 'The deliveries could not be loaded',
  empty: 'Nothing was sent yet',
  emptyText: 'Messages appear here when something happens that this subscription is told of.',
  states: { waiting: 'Waiting', delivered: 'Delivered', given_up: 'Given up' } satisfies Record<
    Delivery['state'],
    string
  >,
  tries: (count: number): string => plural(count, { one: '# try', other: '# tries' }),
  answered: (status: number): string => `answered ${status}`,
  next: 'next try',
  message: 'Message',
  replay: 'Send again',
  replayed: 'The message is sent again.',
});
