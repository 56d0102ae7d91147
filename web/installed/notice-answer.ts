import { notify } from './notify.ts';
import { notificationStrings as strings } from './strings.ts';

/** An answer that ends while another tab is looked at. One that was stopped, or that goes on as a run, is no news. */
export function noticeAnswer(user: string, moment: string, { thread, title }: { thread: string; title: string }): void {
  if (document.visibilityState !== 'hidden' || (moment !== 'done' && moment !== 'failed')) return;
  void notify(user, {
    text: strings.answer[moment],
    title,
    tag: `chat ${thread}`,
    path: `/chat/${encodeURIComponent(thread)}`,
  });
}
