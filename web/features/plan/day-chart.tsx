// A bar chart by day with a text alternative; the table beside it has every figure.
import type { ReactElement } from 'react';
import { type DaySum, roundUp } from './sum-usage.ts';
import { formatDay } from '../../language/format.ts';

const HEIGHT = 190;
const TOP = 18;
const FLOOR = HEIGHT - 24;
const LINES = [0, 0.5, 1];
/** The bar's share of the width of a day. */
const FILL = 0.72;

interface DayChartProps {
  days: readonly DaySum[];
  label: string;
  /** How the values beside the lines are written. */
  scale: (value: number) => string;
  titleOf: (day: DaySum) => string;
}

export function DayChart({ days, label, scale, titleOf }: DayChartProps): ReactElement {
  const top = roundUp(Math.max(...days.map(({ value }) => value), 0));
  const room = 100 / Math.max(days.length, 1);
  const heightOf = (value: number): number => (value / top) * (FLOOR - TOP);
  const ends = [days[0], days.at(-1)] as const;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing has no file that an img could show
    <svg className="day-chart" role="img" aria-label={label} width="100%" height={HEIGHT}>
      {LINES.map((share) => (
        <g key={share}>
          <line x1="0" x2="100%" y1={FLOOR - share * (FLOOR - TOP)} y2={FLOOR - share * (FLOOR - TOP)} />
          {share > 0 && (
            <text x="0" y={FLOOR - share * (FLOOR - TOP) - 5}>
              {scale(share * top)}
            </text>
          )}
        </g>
      ))}
      {days.map((day, at) => (
        <rect
          key={day.date}
          x={`${(at + (1 - FILL) / 2) * room}%`}
          width={`${room * FILL}%`}
          y={FLOOR - heightOf(day.value)}
          height={heightOf(day.value)}
          rx="2"
        >
          <title>{titleOf(day)}</title>
        </rect>
      ))}
      <text x="0" y={HEIGHT - 6}>
        {formatDay(ends[0]?.date ?? '')}
      </text>
      <text x="100%" y={HEIGHT - 6} textAnchor="end">
        {formatDay(ends[1]?.date ?? '')}
      </text>
    </svg>
  );
}
