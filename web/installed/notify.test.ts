import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const stored = new Map<string, string>();
const shown: { text: string; body: string | undefined; tag: string }[] = [];
let asked: number;
let given: NotificationPermission;

class FakeNotification extends EventTarget {
  static permission: NotificationPermission;
  static async requestPermission(): Promise<NotificationPermission> {
    asked += 1;
    FakeNotification.permission = given;
    return given;
  }
  constructor(text: string, { body, tag }: { body?: string; tag: string }) {
    super();
    shown.push({ text, body, tag });
  }
}

beforeEach(() => {
  stored.clear();
  shown.length = 0;
  asked = 0;
  given = 'granted';
  FakeNotification.permission = 'default';
  vi.resetModules();
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('Notification', FakeNotification);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const load = () => import('./notify.ts');
const NOTICE = { text: 'A run has finished', title: 'Find a new job', tag: 'run job_1', path: '/runs/job_1' };

it('is off, and asks for nothing, until a person turns it on', async () => {
  const { notify, turnOnNotifications } = await load();
  await notify('usr_1', NOTICE);
  expect([asked, shown]).toEqual([0, []]);
  expect(await turnOnNotifications('usr_1')).toBe(true);
  await notify('usr_1', NOTICE);
  expect(shown).toEqual([{ text: 'A run has finished', body: undefined, tag: 'run job_1' }]);
});

it('shows a title only by choice', async () => {
  const { notify, turnOnNotifications, setNotificationChoice } = await load();
  await turnOnNotifications('usr_1');
  setNotificationChoice('usr_1', 'titles');
  await notify('usr_1', NOTICE);
  expect(shown[0]?.body).toBe('Find a new job');
});

it('belongs to one person of a browser', async () => {
  const { notify, turnOnNotifications, wantsNotifications } = await load();
  await turnOnNotifications('usr_1');
  await notify('usr_2', NOTICE);
  expect([wantsNotifications('usr_1'), wantsNotifications('usr_2'), shown]).toEqual([true, false, []]);
  expect([...stored]).toEqual([['notify:usr_1', 'plain']]);
});

it('stays off without the permission, and is off when that is withdrawn', async () => {
  const { isDenied, turnOnNotifications, wantsNotifications } = await load();
  given = 'denied';
  expect(await turnOnNotifications('usr_1')).toBe(false);
  expect([isDenied(), wantsNotifications('usr_1')]).toEqual([true, false]);
  given = 'granted';
  await turnOnNotifications('usr_1');
  FakeNotification.permission = 'denied';
  expect(wantsNotifications('usr_1')).toBe(false);
});

it('is not there where the browser has none', async () => {
  vi.stubGlobal('Notification', undefined);
  const { canNotify } = await load();
  // An absent global is not a property either.
  Reflect.deleteProperty(globalThis, 'Notification');
  expect(canNotify()).toBe(false);
});
