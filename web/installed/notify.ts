// Notifications of the browser, by choice: off until a person turns them on, per person and device. They say that
// something has ended, and its title only if that was chosen too, for a screen has other readers.
import { createKeyedStore } from '../kit/keyed-store.ts';
import { findWorker } from './start-worker.ts';

export type NotificationChoice = 'off' | 'plain' | 'titles';

const choices = createKeyedStore<NotificationChoice>({
  empty: 'off',
  persist: {
    area: 'local',
    prefix: 'notify:',
    pack: (choice) => choice,
    unpack: (stored) => (stored === 'titles' ? 'titles' : 'plain'),
  },
});

/** By user. */
export const { use: useNotificationChoice, set: setNotificationChoice } = choices;

export const canNotify = (): boolean => 'Notification' in globalThis;

export const isDenied = (): boolean => canNotify() && Notification.permission === 'denied';

/** The permission may have been withdrawn since. */
export function wantsNotifications(user: string): boolean {
  return choices.get(user) !== 'off' && canNotify() && Notification.permission === 'granted';
}

/** Asks for the permission: only ever after a press of the person. False if it was not given. */
export async function turnOnNotifications(user: string): Promise<boolean> {
  if (!canNotify() || (await Notification.requestPermission()) !== 'granted') return false;
  if (choices.get(user) === 'off') choices.set(user, 'plain');
  return true;
}

export interface Notice {
  /** Says what happened, without naming what. */
  readonly text: string;
  /** Shown only by choice. */
  readonly title: string;
  /** One per thing: several tabs that notice the same show it once. */
  readonly tag: string;
  /** The page to open. */
  readonly path: string;
}

export async function notify(user: string, { text, title, tag, path }: Notice): Promise<void> {
  if (!wantsNotifications(user)) return;
  const options = {
    tag,
    icon: '/icon-192.png',
    data: path,
    ...(choices.get(user) === 'titles' ? { body: title } : {}),
  };
  // Android shows those of a worker only.
  const worker = await findWorker();
  if (worker?.active) return worker.showNotification(text, options);
  const shown = new Notification(text, options);
  shown.addEventListener('click', () => {
    window.focus();
    shown.close();
  });
}
