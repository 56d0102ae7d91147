import { secretValues } from '../../../base/secret-values.ts';
import { CHECKS, type Check } from './checks.ts';
import { fault, type Finding, type Level, notice, type Reported, skipped, worstOf } from './finding.ts';
import type { Patient } from './patient.ts';

export interface Diagnosis {
  readonly ok: boolean;
  readonly worst: Level;
  readonly findings: readonly Reported[];
}

/** Longer than any check waits by itself. */
const CHECK_TIMEOUT_MS = 30_000;
const BLOCKING: ReadonlySet<Level> = new Set<Level>(['fault', 'skipped']);

export async function runChecks(
  patient: Patient,
  checks: Readonly<Record<string, Check>> = CHECKS,
): Promise<Diagnosis> {
  const clean = strike(patient);
  const findings: Reported[] = [];
  const broken = new Set<string>();
  for (const [id, check] of Object.entries(checks)) {
    const cause = check.needs?.find((need) => broken.has(need));
    const found = cause === undefined ? await look(patient, check) : [skipped(`not looked at, because of ${cause}`)];
    if (found.some(({ level }) => BLOCKING.has(level))) broken.add(id);
    findings.push(...found.map((finding) => ({ check: id, ...clean(finding) })));
  }
  const worst = worstOf(findings);
  return { ok: worst !== 'fault', worst, findings };
}

async function look(patient: Patient, check: Check): Promise<readonly Finding[]> {
  const withheld = (check.secrets ?? []).filter((secret) => patient.isWithheld(secret));
  if (withheld.length > 0)
    return [
      notice(
        `not judged: the role ${patient.role} is not given ${withheld.join(' and ')}`,
        'Each part is given the secrets that it reads, and no other.',
        'For the whole deployment, run: servicectl doctor --bundle FILE',
      ),
    ];
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('it took too long')), CHECK_TIMEOUT_MS);
  try {
    return await Promise.race([Promise.resolve(check.look(patient)), late]);
  } catch (error) {
    // Only its kind: a driver's sentence may name an address with its password.
    const code = (error as NodeJS.ErrnoException).code;
    return [
      fault(
        `this could not be looked at (${code ?? (error instanceof Error ? error.name : 'failed')})`,
        'Something is wrong that the doctor does not know.',
        'Look at the logs of the parts it concerns, then run servicectl doctor again.',
      ),
    ];
  } finally {
    clearTimeout(timer);
  }
}

/** No value of a secret leaves, whatever a check wrote into its sentences. */
function strike({ config, environment }: Patient): (finding: Finding) => Finding {
  const provider = [
    'NANGO_ENCRYPTION_KEY',
    'NANGO_DASHBOARD_PASSWORD',
    'NANGO_SECRET_KEY',
    'NANGO_SECRET_KEY_PROD',
  ].map((name) => environment[name]?.trim() ?? '');
  const secrets = [...secretValues(config), ...provider].filter((value) => value.length >= 8);
  const clean = (text: string): string => secrets.reduce((said, secret) => said.replaceAll(secret, '[secret]'), text);
  return ({ level, what, why, fix }) => ({
    level,
    what: clean(what),
    ...(why === undefined ? {} : { why: clean(why) }),
    ...(fix === undefined ? {} : { fix: clean(fix) }),
  });
}
