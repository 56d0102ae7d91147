// What a bench measured, against what it should be. Aims are ratios to a peer measured in the same run where there is
// one, so that they mean the same on every machine.

export interface Aim {
  readonly work: string;
  readonly figure: number;
  readonly unit: string;
  /** Whether the figure should be at most or at least this. */
  readonly atMost?: number;
  readonly atLeast?: number;
}

function isMet({ figure, atMost = Infinity, atLeast = -Infinity }: Aim): boolean {
  return figure <= atMost && figure >= atLeast;
}

export function printAims(aims: readonly Aim[], report: (line: string) => void): void {
  if (aims.length === 0) return;
  report('');
  report('aims');
  const width = Math.max(...aims.map(({ work }) => work.length));
  for (const aim of aims) {
    const { work, figure, unit, atMost, atLeast } = aim;
    const wanted = atMost === undefined ? `≥ ${format(atLeast ?? 0)}` : `≤ ${format(atMost)}`;
    report(
      `  ${work.padEnd(width)}  ${`${format(figure)} ${unit}`.padStart(20)}  ${wanted.padStart(9)}  ${isMet(aim) ? 'met' : 'MISSED'}`,
    );
  }
}

function format(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toFixed(value >= 100 ? 0 : 2);
}
