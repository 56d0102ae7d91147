import { findFailing } from '../../../subscriptions/find-failing.ts';
import type { Deployment } from './deployment.ts';
import { type Finding, ok, warning } from './finding.ts';

export async function checkSubscriptions({ storage }: Deployment): Promise<Finding[]> {
  const { found, newest } = await findFailing(await storage());
  if (found === 0) return [ok('no subscription has been failing for a day')];
  const named = newest.map(({ id, organization, off }) => `${id} of ${organization}${off ? ' (turned off)' : ''}`);
  return [
    warning(
      `${found} ${found === 1 ? 'subscription fails' : 'subscriptions fail'}: ${named.join(', ')}${found > named.length ? ', …' : ''}`,
      'Their addresses are not told what happens. After three days of failures a subscription is turned off.',
      'Those who manage it see why on the page Subscriptions. If all fail, let worker-control reach the internet.',
    ),
  ];
}
