import { readChainFigures } from '../../../runs/reading/read-chain-figures.ts';
import { fault, type Finding, ok, warning } from './finding.ts';
import type { Deployment } from './deployment.ts';

const DAY_MS = 86_400_000;
const LATE_MS = 2 * DAY_MS;

/** What the last verification found: the doctor does not read every receipt itself. */
export async function checkChains({ storage }: Deployment): Promise<Finding[]> {
  const { broken, verified } = await readChainFigures(await storage());
  const findings: Finding[] = [];
  if (broken > 0)
    findings.push(
      fault(
        `${broken} receipt ${broken === 1 ? 'stream does' : 'streams do'} not verify`,
        'Receipts were changed outside the service. Such a stream is not replayed, and its run is not executed.',
        'Follow docs/operators/incident.md before anything else is changed.',
      ),
    );
  const ageMs = verified ? Date.now() - verified.at.getTime() : 0;
  if (ageMs > LATE_MS)
    findings.push(
      warning(
        `the receipts were last verified ${Math.floor(ageMs / DAY_MS)} days ago`,
        'They are verified once a day: a change since then is not noticed.',
        'Look whether worker-control runs, and into its log.',
      ),
    );
  if (findings.length > 0) return findings;
  return [
    ok(
      verified
        ? `all ${verified.streams} receipt streams verified at ${verified.at.toISOString()}`
        : 'the receipts were not verified yet: it happens once a day',
    ),
  ];
}
