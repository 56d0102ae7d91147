import {
  findWeakLimits,
  LIMITED,
  type Limited,
  type LimitMeans,
  type Means,
} from '../../../../src/contract/sandbox-limits.ts';
import { formatList } from '../../../language/format.ts';
import type { Translated } from '../../../language/language.ts';
import type * as english from './strings.ts';

const LIMITS = {
  memory: 'Speicher',
  processes: 'Prozesse',
  disk: 'Festplatte',
  cpu: 'CPU',
  time: 'Zeit',
} as const satisfies Record<Limited, string>;

const LIMITED_BY = {
  cgroup: 'cgroup',
  engine: 'die Container-Engine',
  tmpfs: 'ein tmpfs fester Größe',
  timer: 'einen Timer',
  rlimit: 'rlimit und Watchdog',
  watchdog: 'einen Watchdog',
  priority: 'nur niedrige Priorität',
} as const satisfies Record<Means, string>;

function describeLimits(limits: LimitMeans): string {
  const means = [...new Set(LIMITED.map((name) => limits[name]))];
  return means
    .map((one) => {
      const limited = LIMITED.filter((name) => limits[name] === one).map((name) => LIMITS[name]);
      return `${formatList(limited)} durch ${LIMITED_BY[one]}`;
    })
    .join(', ');
}

export const german = {
  sandboxStrings: {
    off: 'Läufe sind in dieser Installation nicht verfügbar',
    offText:
      'Hier lässt sich keine sichere Sandbox einrichten, deshalb können keine Läufe gestartet werden. Alles andere funktioniert.',
    why: (reason) => `Grund: ${reason}.`,
    unreachable: 'Neue Läufe müssen warten',
    unreachableText:
      'Die Sandbox-Steuerung antwortet nicht. Läufe, die Sie jetzt starten, beginnen, sobald sie wieder antwortet.',
    fix: (fix) => `Was Ihr Betreiber tun kann: ${fix}.`,
  },
  describeConfinement: ({ driver, limits }) => `${driver}; ${describeLimits(limits)}`,
  describeWeakness: (limits) => {
    const weak = findWeakLimits(limits).map((name) => LIMITS[name]);
    return weak.length === 0
      ? undefined
      : `Schwache Begrenzung: ${formatList(weak)}. Ein Lauf, der darüber hinausgeht, wird erst gestoppt, wenn es bemerkt wird. Die Isolation ist nicht betroffen.`;
  },
} as const satisfies Translated<typeof english>;
