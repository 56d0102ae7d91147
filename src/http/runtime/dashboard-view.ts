// The dashboard's text: figures in, text out. The page and its live updates both show exactly this, so that nothing is
// formatted twice.
import { fullVersion } from '../../process/build-info.ts';
import type { SeenProcess } from '../../store/process-registry.ts';
import type { RunFigures } from '../../runs/reading/read-run-figures.ts';
import { isWaitingReason, WAITING_REASONS } from '../../runs/record/waiting-reasons.ts';
import type { BrokerView, RoleFigures, RuntimeFigures } from './figures.ts';

type Tone = 'good' | 'bad' | 'plain';

export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
}

export interface DashboardView {
  readonly status: Cell;
  readonly at: string;
  /** Single figures by name; the page has an element for each. */
  readonly values: Record<
    | 'version'
    | 'uptime'
    | 'database'
    | 'pool'
    | 'receipts'
    | 'perMinute'
    | 'streams'
    | 'checkpoint'
    | 'jobsQueued'
    | 'jobsRunning'
    | 'jobsEnded'
    | 'jobsPerMinute'
    | 'leases',
    Cell
  >;
  readonly roles: readonly Cell[][];
  readonly processes: readonly Cell[][];
  readonly groups: readonly Cell[][];
  readonly waiting: readonly Cell[][];
  /** Points of the chart of appends per minute, in a box of 100 by 24. */
  readonly line: string;
}

/** Runs that are queued for longer than this count as waiting for something. */
const ON_ITS_WAY_SECONDS = 30;
const UNKNOWN: Cell = { text: '–' };
const number = new Intl.NumberFormat('en-US');

export function describeFigures(figures: RuntimeFigures): DashboardView {
  const { database, stored, broker, at } = figures;
  const receipts = stored?.receipts;
  const runs = stored?.runs;
  return {
    status: statusOf(figures),
    at: `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    values: {
      version: { text: fullVersion(figures) },
      uptime: { text: duration(figures.uptimeSeconds) },
      database: database.ok
        ? { text: `${database.latencyMs.toFixed(1)} ms`, tone: 'good' }
        : { text: `down: ${database.reason}`, tone: 'bad' },
      pool: {
        text: `${database.pool.busy} of ${database.pool.poolMax}${database.pool.waiting > 0 ? `, ${database.pool.waiting} waiting` : ''}`,
      },
      receipts: receipts ? { text: `${receipts.exact ? '' : 'about '}${number.format(receipts.total)}` } : UNKNOWN,
      perMinute: receipts?.perMinute !== undefined ? { text: number.format(receipts.perMinute) } : UNKNOWN,
      streams: receipts ? { text: `${receipts.exact ? '' : 'about '}${number.format(receipts.streams)}` } : UNKNOWN,
      checkpoint: receipts
        ? {
            text: receipts.lastCheckpointAt
              ? `${duration((at.getTime() - receipts.lastCheckpointAt.getTime()) / 1000)} ago`
              : 'none yet',
          }
        : UNKNOWN,
      jobsQueued: runs ? { text: describeQueued(runs) } : UNKNOWN,
      jobsRunning: runs ? { text: number.format(runs.running) } : UNKNOWN,
      jobsPerMinute: runs ? { text: number.format(runs.endedLastMinute) } : UNKNOWN,
      leases: broker
        ? { text: `${number.format(broker.leases)}${broker.replicas === 1 ? '' : ` over ${broker.replicas} brokers`}` }
        : UNKNOWN,
      jobsEnded: runs
        ? {
            text: `${runs.exact ? '' : 'at least '}${number.format(runs.completed)} done, ${number.format(runs.failed)} failed, ${number.format(runs.aborted)} aborted`,
          }
        : UNKNOWN,
    },
    roles: (stored?.roles ?? []).map(roleCells),
    processes: (stored?.processes ?? []).map((process) => processCells(process, at)),
    groups: (broker?.groups ?? []).map(groupCells),
    waiting: runs ? waitingRows(runs) : [],
    line: linePoints(receipts?.history ?? []),
  };
}

/** How many are waiting and, if something is missing, for what. */
function describeQueued({ queued, waiting }: RunFigures): string {
  const reasons = Object.entries(waiting).filter(([reason]) => reason !== 'dispatching');
  return [
    number.format(queued),
    ...reasons.map(([reason, count]) => `${number.format(count)} ${reason.replaceAll('_', ' ')}`),
  ].join(', ');
}

function waitingRows({ waiting, chainFaults, oldestQueuedSeconds = 0 }: RunFigures): Cell[][] {
  const why = (reason: string): string => (isWaitingReason(reason) ? WAITING_REASONS[reason] : '–');
  return Object.entries(waiting).map(([reason, count]) => [
    {
      text: reason.replaceAll('_', ' '),
      ...(reason === 'dispatching' && oldestQueuedSeconds < ON_ITS_WAY_SECONDS ? {} : { tone: 'bad' as const }),
    },
    { text: number.format(count) },
    {
      text:
        reason === 'receipt_chain_invalid' && chainFaults.length > 0
          ? `${why(reason)} (${chainFaults.join(', ')})`
          : why(reason),
    },
  ]);
}

function groupCells({ group, streams, credit, held, waiting }: BrokerView['groups'][number]): Cell[] {
  const reasons = Object.entries(waiting);
  return [
    { text: group },
    streams > 0 ? { text: number.format(streams), tone: 'good' } : { text: 'none', tone: 'bad' },
    { text: `${number.format(held)} of ${number.format(credit)}` },
    { text: number.format(reasons.reduce((sum, [, count]) => sum + count, 0)) },
    {
      text:
        reasons.length === 0 ? '–' : reasons.map(([reason, count]) => `${number.format(count)} ${reason}`).join(', '),
    },
  ];
}

function statusOf({ database, stored }: RuntimeFigures): Cell {
  if (!database.ok || !stored) return { text: 'The database does not respond', tone: 'bad' };
  const missing = stored.roles.filter((role) => role.running === 0).map((role) => role.role);
  if (missing.length > 0) return { text: `No process of ${missing.join(', ')}`, tone: 'bad' };
  return { text: 'All roles are running', tone: 'good' };
}

function roleCells(role: RoleFigures): Cell[] {
  return [
    { text: role.role },
    role.running > 0 ? { text: 'up', tone: 'good' } : { text: 'no process', tone: 'bad' },
    { text: String(role.running) },
    { text: String(role.lost), ...(role.lost > 0 ? { tone: 'bad' as const } : {}) },
    { text: role.group === '' ? '–' : role.group },
    { text: role.executeConcurrency === undefined ? '–' : String(role.executeConcurrency) },
    { text: role.bindsPort ? 'yes' : 'no' },
  ];
}

function processCells(process: SeenProcess, at: Date): Cell[] {
  const { rssBytes, cpuPercent, loopDelayMs } = process.figures;
  return [
    { text: process.role },
    { text: process.state, tone: process.state === 'running' ? 'good' : process.state === 'lost' ? 'bad' : 'plain' },
    { text: process.host },
    { text: String(process.pid) },
    { text: process.build === undefined ? process.version : fullVersion({ ...process, build: process.build }) },
    { text: process.group ?? '–' },
    { text: duration((at.getTime() - process.startedAt.getTime()) / 1000) },
    { text: `${Math.round(process.seenAgoSeconds)} s ago` },
    { text: rssBytes === undefined ? '–' : `${Math.round(rssBytes / 1024 / 1024)} MB` },
    { text: cpuPercent === undefined ? '–' : `${cpuPercent.toFixed(1)} %` },
    { text: loopDelayMs === undefined ? '–' : `${loopDelayMs.toFixed(1)} ms` },
  ];
}

/** Two units at most: 42 s, 3 min 5 s, 2 h 7 min, 4 d 3 h. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ] as const;
  const first = units.findIndex(([, size]) => whole >= size);
  if (first < 0) return '0 s';
  let rest = whole;
  const words: string[] = [];
  for (const [unit, size] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) words.push(`${count} ${unit}`);
  }
  return words.join(' ');
}

export function linePoints(history: readonly number[]): string {
  if (history.length < 2) return '0,23 100,23';
  const highest = Math.max(...history, 1);
  return history
    .map(
      (value, position) =>
        `${((position / (history.length - 1)) * 100).toFixed(1)},${(23 - (value / highest) * 22).toFixed(1)}`,
    )
    .join(' ');
}
