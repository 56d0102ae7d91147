// What the dashboard, its JSON and the metrics show: counts, times and the state of processes. Nothing here names an
// organization, a person or a stream, because the dashboard needs no authentication.
import type { Config } from '../../base/config.ts';
import { RUNTIME_ROLES, executeConcurrencyOf, groupOf, PROCESS_ROLES } from '../../process/process-roles.ts';
import type { BuildInfo } from '../../process/build-info.ts';
import { shareRead } from '../../timing/share-read.ts';
import type { FiguresClient } from '../../broker/client/ask-figures.ts';
import type { BrokerFigures, GroupFigures } from '../../broker/protocol/figures.ts';
import { type CapCounts, countCaps } from '../../enforcement/caps.ts';
import { type MailFigures, readMailFigures } from '../../mail/mail-queue.ts';
import { type PlatformMonth, readPlatformMonth } from '../../enforcement/read-platform-month.ts';
import { type ChainFigures, readChainFigures } from '../../runs/reading/read-chain-figures.ts';
import { type RunFigures, readRunFigures } from '../../runs/reading/read-run-figures.ts';
import { readReceiptFigures } from '../../receipts/read-receipt-figures.ts';
import { createReceiptRate } from '../../receipts/receipt-rate.ts';
import type { DatabaseFigures, MeasuredDatabase } from '../../store/measure-database.ts';
import { listProcesses, type SeenProcess } from '../../store/process-registry.ts';
import type { DatabaseHealth } from '../shell/health.ts';

export interface RoleFigures {
  readonly role: string;
  readonly bindsPort: boolean;
  readonly group: string;
  readonly executeConcurrency: number | undefined;
  readonly running: number;
  readonly lost: number;
}

interface ReceiptView {
  readonly total: number;
  readonly exact: boolean;
  readonly streams: number;
  readonly perMinute: number | undefined;
  readonly history: number[];
  readonly lastCheckpointAt: Date | undefined;
}

/** The broker's figures, without individual tasks and processes. */
export interface BrokerView {
  readonly replicas: number;
  readonly leases: number;
  readonly groups: readonly {
    readonly group: string;
    readonly streams: number;
    readonly credit: number;
    readonly held: number;
    readonly waiting: GroupFigures['waiting'];
  }[];
}

export interface RuntimeFigures extends BuildInfo {
  readonly at: Date;
  readonly uptimeSeconds: number;
  readonly database: DatabaseHealth & { readonly pool: DatabaseFigures };
  /** From the database; absent while it does not respond. */
  readonly stored:
    | {
        readonly roles: RoleFigures[];
        readonly processes: SeenProcess[];
        readonly receipts: ReceiptView;
        readonly runs: RunFigures;
        readonly chains: ChainFigures;
      }
    | undefined;
  /** Platform credit used this month, in micro-dollars; only for the metrics. */
  readonly caps?: CapCounts | undefined;
  readonly mail?: MailFigures | undefined;
  readonly platform?: (PlatformMonth & { readonly limitMicros: number | undefined }) | undefined;
  /** Absent while the broker does not respond, or if it provides no figures. */
  readonly broker?: BrokerView | undefined;
}

export interface FiguresDeps extends BuildInfo {
  readonly config: Config;
  readonly db: MeasuredDatabase;
  readonly checkDatabase: () => Promise<DatabaseHealth>;
  readonly broker?: Pick<FiguresClient, 'all'> | undefined;
}

const PROCESSES_FRESH_MS = 1_000;
const RECEIPTS_FRESH_MS = 1_500;
const RUNS_FRESH_MS = 1_500;
const CHAINS_FRESH_MS = 10_000;
const BROKER_FRESH_MS = 1_500;
const PLATFORM_FRESH_MS = 5_000;

export function createFigures({
  config,
  db,
  version,
  build,
  checkDatabase,
  broker,
}: FiguresDeps): () => Promise<RuntimeFigures> {
  const rate = createReceiptRate();
  const readProcesses = shareRead(() => listProcesses(db), PROCESSES_FRESH_MS);
  const readReceipts = shareRead(async (): Promise<ReceiptView> => {
    const { counter, ...rest } = await readReceiptFigures(db);
    rate.add(counter, rest.exact, Date.now());
    return { ...rest, perMinute: rate.perMinute(), history: rate.history() };
  }, RECEIPTS_FRESH_MS);
  const readRuns = shareRead(() => readRunFigures(db), RUNS_FRESH_MS);
  const readChains = shareRead(() => readChainFigures(db), CHAINS_FRESH_MS);
  const limitMicros =
    config.SERVICE_PLATFORM_MONTHLY_LIMIT_USD === undefined
      ? undefined
      : Math.round(config.SERVICE_PLATFORM_MONTHLY_LIMIT_USD * 1_000_000);
  const readPlatform = shareRead(async () => ({ ...(await readPlatformMonth(db)), limitMicros }), PLATFORM_FRESH_MS);
  const readCaps = shareRead(() => countCaps(db), PLATFORM_FRESH_MS);
  const readMail = shareRead(() => readMailFigures(db, new Date()), PLATFORM_FRESH_MS);
  const readBroker = shareRead(async () => (broker ? viewBroker(await broker.all()) : undefined), BROKER_FRESH_MS);

  return async () => {
    const health = await checkDatabase();
    const [stored, brokerView, platform, caps, mail] = health.ok
      ? await Promise.all([
          readStored().catch(() => undefined),
          readBroker().catch(() => undefined),
          readPlatform().catch(() => undefined),
          readCaps().catch(() => undefined),
          readMail().catch(() => undefined),
        ])
      : [];
    return {
      at: new Date(),
      version,
      build,
      uptimeSeconds: Math.round(process.uptime()),
      database: { ...health, pool: db.figures() },
      stored,
      platform,
      caps,
      mail,
      broker: brokerView,
    };
  };

  async function readStored(): Promise<NonNullable<RuntimeFigures['stored']>> {
    const [processes, receipts, runs, chains] = await Promise.all([
      readProcesses(),
      readReceipts(),
      readRuns(),
      readChains(),
    ]);
    return { roles: countRoles(config, processes), processes, receipts, runs, chains };
  }
}

function viewBroker({ replicas, leases, groups }: BrokerFigures): BrokerView {
  return {
    replicas,
    leases,
    groups: groups.map(({ group, streams, waiting }) => ({
      group,
      streams: streams.length,
      credit: streams.reduce((sum, stream) => sum + stream.credit, 0),
      held: streams.reduce((sum, stream) => sum + stream.held, 0),
      waiting,
    })),
  };
}

/** The roles of the table are always listed, even with no process; other registered processes follow. */
export function countRoles(config: Config, processes: readonly SeenProcess[]): RoleFigures[] {
  const tally = (role: string): Pick<RoleFigures, 'running' | 'lost'> => {
    const own = processes.filter((process) => process.role === role);
    const lost = own.filter((process) => process.state === 'lost').length;
    return { running: own.length - lost, lost };
  };
  const known = RUNTIME_ROLES.map((role) => ({
    role,
    bindsPort: PROCESS_ROLES[role].bindsPort,
    group: groupOf(role, config),
    executeConcurrency: executeConcurrencyOf(role, config),
    ...tally(role),
  }));
  const named = new Set<string>(RUNTIME_ROLES);
  const others = [...new Set(processes.map((process) => process.role))].filter((role) => !named.has(role));
  return [
    ...known,
    ...others.map((role) => ({
      role,
      bindsPort: role === 'web',
      group: processes.find((process) => process.role === role)?.group ?? '',
      executeConcurrency: undefined,
      ...tally(role),
    })),
  ];
}
