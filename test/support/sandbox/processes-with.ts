import { readdirSync, readFileSync } from 'node:fs';

/** Processes of the machine whose command line holds the text. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) && Number(pid) !== process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
      );
    } catch {
      return false;
    }
  });
}
