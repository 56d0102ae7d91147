// Whether a push may pass: what it asks of the host's refs stands in the first lines of its body, before any object. It must
// be one command, that creates or updates the one ref which the rule names. Everything else (a second command, a
// deletion, another ref, options, a signed certificate, which hides its commands in another form) is refused.

export type PushVerdict = 'more' | 'fine' | 'refused';

/** A command is short; a host that is sent more has been sent something else. */
export const MAX_PUSH_HEAD_BYTES = 64 * 1024;

const COMMAND = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) ([^\0\n]+)(?:\0([^\0\n]*))?\n?$/;
/** The sender's copy is without history; it changes nothing at the host. */
const SHALLOW = /^shallow (?:[0-9a-f]{40}|[0-9a-f]{64})\n?$/;
const FLUSH = '0000';

/** `more` while the lines are not complete. A client that sends much first sends no commands, to see whether it may. */
export function judgePush(head: Buffer, ref: string): PushVerdict {
  let commands = 0;
  for (let at = 0; ;) {
    if (head.length < at + 4) return 'more';
    const digits = head.toString('latin1', at, at + 4);
    if (digits === FLUSH) return commands <= 1 ? 'fine' : 'refused';
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0;
    if (length <= 4) return 'refused';
    if (head.length < at + length) return 'more';
    const line = head.toString('latin1', at + 4, at + length);
    at += length;
    if (commands === 0 && SHALLOW.test(line)) continue;
    const [, , wanted = '', named = '', capabilities = ''] = COMMAND.exec(line) ?? [];
    if (named !== ref || /^0+$/.test(wanted) || /(?:^| )push-(?:options|cert)/.test(capabilities)) return 'refused';
    if (++commands > 1) return 'refused';
  }
}
