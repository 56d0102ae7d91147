// Whether the identity providers that organizations have connected still come.
import { type Finding, notice, ok, warning } from './finding.ts';
import type { Deployment } from './deployment.ts';
import { findQuietScimTokens } from '../../../scim/tokens/find-quiet-tokens.ts';

export async function checkScimTokens(deployment: Deployment): Promise<Finding[]> {
  const { total, neverUsed, quiet } = await findQuietScimTokens(await deployment.storage());
  if (total === 0) return [ok('no organization has a SCIM token')];
  if (deployment.config.SERVICE_SIGN_UP === 'closed')
    return [
      warning(
        'SERVICE_SIGN_UP is closed, and organizations have SCIM tokens',
        'Their identity providers can add people who have an account, but make no accounts: they are answered 403.',
        'Set SERVICE_SIGN_UP=invited.',
      ),
    ];
  const findings = [
    ...neverUsed.map((slug) =>
      notice(
        `the SCIM token of ${slug} has never been used`,
        'Its identity provider does not provision anyone with it.',
        'Enter it there, or revoke it: members page, Provisioning; or servicectl scim.',
      ),
    ),
    ...quiet.map((slug) =>
      warning(
        `the SCIM token of ${slug} was last used more than a week ago`,
        'Identity providers come at least once a day. People who left may still have access.',
        'Look at the provisioning log of the identity provider; revoke the token if it is no longer needed.',
      ),
    ),
  ];
  return findings.length > 0 ? findings : [ok(`${total} SCIM tokens, all used within a week`)];
}
