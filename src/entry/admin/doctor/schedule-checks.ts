// Whether schedules start what they are to start.
import { countOverdue } from '../../../runs/schedules/claim-due.ts';
import { findStalled } from '../../../runs/standing/find-stalled.ts';
import type { Deployment } from './deployment.ts';
import { fault, type Finding, ok, warning } from './finding.ts';

export async function checkSchedules({ storage }: Deployment): Promise<Finding[]> {
  const db = await storage();
  const [overdue, { total, authorityLost, refused, makerLeft }] = [
    await countOverdue(db),
    await findStalled(db, 'schedule'),
  ];
  const findings: Finding[] = [];
  if (overdue > 0)
    findings.push(
      fault(
        `${count(overdue, 'schedule')} should have started a run more than five minutes ago`,
        'Nobody starts the runs of schedules: the api role does it.',
        'Look whether the api role runs; its log says why with "could not start the run of a schedule".',
      ),
    );
  if (authorityLost + makerLeft > 0)
    findings.push(
      warning(
        `${count(authorityLost + makerLeft, 'schedule')} may no longer start anything: the person left, or the token was revoked`,
        'A schedule acts for the person who made it, with the token that it was made with.',
        'Owners and admins see them on the schedules page: they can delete them; the person can turn them on with a valid token.',
      ),
    );
  if (refused > 0)
    findings.push(
      warning(
        `${count(refused, 'schedule')} paused after five refusals in a row`,
        'What they start is refused, for example because a model or a connection is gone.',
        'The history of the schedule has the reason: servicectl schedules firings; correct it and turn the schedule on.',
      ),
    );
  return findings.length > 0
    ? findings
    : [ok(total === 0 ? 'no schedule is on' : `${count(total, 'schedule')} on, none late`)];
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
