// Whether what is delivered reaches triggers, and whether they may start what they are to start.
import { countUnopenedSecrets } from '../../../runs/triggers/count-unopened-secrets.ts';
import { findStalled } from '../../../runs/standing/find-stalled.ts';
import { callPart } from './call-part.ts';
import type { Deployment } from './deployment.ts';
import { fault, type Finding, ok, warning } from './finding.ts';
import { plain } from './part-checks.ts';

export async function checkTriggers({ storage, config, publicUrl }: Deployment): Promise<Finding[]> {
  const db = await storage();
  const { total, authorityLost, refused, makerLeft } = await findStalled(db, 'trigger');
  const unopened = await countUnopenedSecrets(db, config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64);
  const findings = total === 0 ? [] : await checkAddress(publicUrl);
  if (unopened > 0)
    findings.push(
      fault(
        `${count(unopened, 'secret')} of triggers ${unopened === 1 ? 'does' : 'do'} not open with SERVICE_CONNECTION_ENCRYPTION_KEY_B64`,
        'What is delivered to them is refused with 401.',
        'Set SERVICE_CONNECTION_ENCRYPTION_KEY_B64 back to the previous key. If it is gone, each secret has to be replaced: servicectl triggers rotate.',
      ),
    );
  if (authorityLost + makerLeft > 0)
    findings.push(
      warning(
        `${count(authorityLost + makerLeft, 'trigger')} may no longer start anything: the person left, or the token was revoked`,
        'A trigger acts for the person who made it, with the token that it was made with.',
        'Owners and admins see them on the triggers page: they can delete them; the person can turn them on with a valid token.',
      ),
    );
  if (refused > 0)
    findings.push(
      warning(
        `${count(refused, 'trigger')} paused after five refusals in a row`,
        'What they start is refused, for example because a model or a connection is gone.',
        'The history of the trigger has the reason: servicectl triggers deliveries; correct it and turn the trigger on.',
      ),
    );
  return findings.length > 0 ? findings : [ok(total === 0 ? 'no trigger is on' : `${count(total, 'trigger')} on`)];
}

/** A delivery that nobody signed: the refusal of the runtime shows that it arrived there. */
async function checkAddress(publicUrl: string): Promise<Finding[]> {
  const answer = await callPart(`${publicUrl}/hooks/doctor`, { method: 'POST', body: '{}' });
  if (answer.answered && answer.status === 401 && answer.text.includes('delivery_unverified')) return [];
  return [
    fault(
      `${plain(publicUrl)}/hooks does not lead to the runtime: ${answer.answered ? `it answers ${answer.status}` : answer.reason}`,
      'Nothing that is delivered to a trigger arrives.',
      'Let the proxy in front of the gateway pass /hooks on, for POST and without a sign-in of its own. From this machine the public URL may be unreachable although senders reach it: then try it from outside.',
    ),
  ];
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
