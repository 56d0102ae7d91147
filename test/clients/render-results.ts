// The results as lines of the run and as a table of the documentation.
import type { Row } from './run-case.ts';
import { STEPS } from './steps.ts';

export function renderRow({ client, version, model, credential, outcomes }: Row): string {
  // A fault that several steps share is said once.
  const faults = [
    ...Map.groupBy(
      outcomes.filter(({ fault }) => fault !== undefined),
      ({ fault }) => fault,
    ),
  ];
  const head = `${faults.length === 0 ? 'ok  ' : 'FAIL'}  ${client}  ${version}  ${model}  ${credential}`;
  return [
    `${head}  ${outcomes
      .filter(({ fault }) => fault === undefined)
      .map(({ step }) => step)
      .join(' ')}`,
    ...faults.map(([fault, of]) => `      ${of.map(({ step }) => step).join(', ')}: ${fault}`),
  ].join('\n');
}

export function renderResults(rows: readonly Row[]): string {
  const cells = rows.map(({ client, version, model, credential, outcomes }) => {
    const failed = [...new Set(outcomes.filter(({ fault }) => fault !== undefined).map(({ step }) => step))];
    return `| ${client} | ${version} | ${model === '' ? '' : `\`${model}\``} | ${credential} | ${failed.length === 0 ? 'works' : `fails: ${failed.join(', ')}`} |`;
  });
  const steps = Object.entries(STEPS).map(([name, { text }]) => `- **${name}**: ${text}`);
  return [
    '',
    '| client | version | model | credential | result |',
    '|---|---|---|---|---|',
    ...cells,
    '',
    'Each is put through what it can do of this:',
    '',
    ...steps,
    '',
    '',
  ].join('\n');
}
