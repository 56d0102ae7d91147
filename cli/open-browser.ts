import { spawn } from 'node:child_process';

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
const OTHERWISE = ['xdg-open'] as const;

/** Whether the platform's opener could be started. Callers print the link as well. */
export function openBrowser(link: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (!/^https?:\/\//.test(link)) return Promise.resolve(false);
  const [command, ...first] = OPENERS[platform] ?? OTHERWISE;
  return new Promise((resolve) => {
    const child = spawn(command, [...first, link], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
