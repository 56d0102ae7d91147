import { CHECKS, type Check } from './checks.ts';
import { fault, type Finding, type Level, notice, type Reported, skipped, worstOf } from './finding.ts';
import type { Deployment } from './deployment.ts';
import { knownSecrets } from './known-secrets.ts';

export interface Diagnosis {
  readonly ok: boolean;
  readonly worst: Level;
  readonly findings: readonly Reported[];
}

/** Longer than the timeouts inside any check. */
const CHECK_TIMEOUT_MS = 30_000;
const BLOCKING: ReadonlySet<Level> = new Set<Level>(['fault', 'skipped']);

export async function runChecks(
  deployment: Deployment,
  checks: Readonly<Record<string, Check>> = CHECKS,
): Promise<Diagnosis> {
  const clean = strike(deployment);
  const findings: Reported[] = [];
  const broken = new Set<string>();
  for (const [id, check] of Object.entries(checks)) {
    const cause = check.needs?.find((need) => broken.has(need));
    const found = cause === undefined ? await look(deployment, check) : [skipped(`skipped because of ${cause}`)];
    if (found.some(({ level }) => BLOCKING.has(level))) broken.add(id);
    findings.push(...found.map((finding) => ({ check: id, ...clean(finding) })));
  }
  const worst = worstOf(findings);
  return { ok: worst !== 'fault', worst, findings };
}

async function look(deployment: Deployment, check: Check): Promise<readonly Finding[]> {
  const withheld = (check.secrets ?? []).filter((secret) => deployment.isWithheld(secret));
  if (withheld.length > 0)
    return [
      notice(
        `not judged: the role ${deployment.role} is not given ${withheld.join(' and ')}`,
        'Each part gets only the secrets that it reads.',
        'For the whole deployment, run: servicectl doctor --bundle FILE',
      ),
    ];
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('it took too long')), CHECK_TIMEOUT_MS);
  try {
    return await Promise.race([Promise.resolve(check.look(deployment)), late]);
  } catch (error) {
    // Only its kind: the message of a database driver may contain an address with its password.
    const code = (error as NodeJS.ErrnoException).code;
    return [
      fault(
        `this could not be looked at (${code ?? (error instanceof Error ? error.name : 'failed')})`,
        'This is a problem the doctor does not know.',
        'Check the logs of the parts concerned, then run servicectl doctor again.',
      ),
    ];
  } finally {
    clearTimeout(timer);
  }
}

/** Removes secret values from every finding, whatever a check wrote into it. */
function strike(deployment: Deployment): (finding: Finding) => Finding {
  const secrets = knownSecrets(deployment);
  const clean = (text: string): string => secrets.reduce((said, secret) => said.replaceAll(secret, '[secret]'), text);
  return ({ level, what, why, fix }) => ({
    level,
    what: clean(what),
    ...(why === undefined ? {} : { why: clean(why) }),
    ...(fix === undefined ? {} : { fix: clean(fix) }),
  });
}
