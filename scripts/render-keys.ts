// The keys of the web app, for the documentation: the same table that the pages register and the help shows.
import { KEYS, type KeyGroup, type KeyName } from '../web/kit/keys/key-table.ts';
import { capsOf } from '../web/shell/key-caps.ts';
import { shell } from '../web/shell/strings.ts';

export function keysTable(): string {
  const names = Object.keys(KEYS) as KeyName[];
  const rows = (Object.keys(shell.keyGroups) as KeyGroup[]).flatMap((group) => [
    `| **${shell.keyGroups[group]}** | | |`,
    ...names
      .filter((name) => KEYS[name].group === group)
      .map((name) => `| ${shell.help[name]} | ${keysOf(name, false)} | ${keysOf(name, true)} |`),
  ]);
  return ['| | Windows, Linux | macOS |', '|---|---|---|', ...rows, ''].join('\n');
}

function keysOf(name: KeyName, isApple: boolean): string {
  return capsOf(name, isApple)
    .map((steps) => steps.map((caps) => caps.join(isApple ? ' ' : '+')).join(` ${shell.keysThen} `))
    .join(` ${shell.keysOr} `);
}
