// Where messages go. `poll://any@group` means any stream of the group, `poll://any@group/pid` the same with a
// preference, `poll://uni@group/pid` that stream alone. A queue's name is the address without what is only a wish.

export interface Destination {
  readonly queue: string;
  readonly preferPid?: string;
}

const POLL = /^poll:\/\/(any|uni)@([^/]+)(?:\/(.*))?$/s;

/** Undefined for an address that no stream here can have. */
export function parseAddress(address: string | undefined): Destination | undefined {
  const [, cast, group, pid] = POLL.exec(address ?? '') ?? [];
  if (group === undefined) return undefined;
  if (cast === 'uni') return pid ? { queue: uniQueue(group, pid) } : undefined;
  return { queue: anyQueue(group), ...(pid ? { preferPid: pid } : {}) };
}

export function listenerAddress(address: string): 'served' | 'unserved' | 'invalid' {
  if (parseAddress(address)) return 'served';
  return /^https?:\/\//.test(address) ? 'unserved' : 'invalid';
}

export function anyQueue(group: string): string {
  return `any@${group}`;
}

export function uniQueue(group: string, pid: string): string {
  return `uni@${group}/${pid}`;
}

/** For tasks whose target is not an address of ours: shown to operators, served by no stream. */
export const UNSERVED_QUEUE = 'unserved';

export function groupOfQueue(queue: string): string {
  return queue === UNSERVED_QUEUE ? '' : (queue.slice(4).split('/')[0] ?? '');
}
