// Something limited that all senders of a process share: places, places in a queue, bytes, seats. The last quarter is
// only for those who hold hardly anything, so that something is left for the next sender, however much others hold.
import { THIS_MACHINE } from '../../../net/caller-network.ts';
import { MORE_FROM_THIS_MACHINE, type Sender, type ShareRow } from './limits.ts';

export interface Shares {
  /** Whether it was taken. */
  take(sender: Sender, amount?: number): boolean;
  give(sender: Sender, amount?: number): void;
}

const RESERVED = 1 / 4;
const LITTLE = 1 / 64;

export function createShares({ each, total, strangers }: ShareRow): Shares {
  const [reserved, little] = [total * RESERVED, Math.max(1, each * LITTLE)];
  const held = new Map<string, number>();
  let all = 0;
  let byStrangers = 0;
  return {
    take({ userId, stranger }, amount = 1) {
      const own = held.get(userId) ?? 0;
      const after = own + amount;
      const free = total - all;
      if (amount > free || after > (userId === THIS_MACHINE ? each * MORE_FROM_THIS_MACHINE : each)) return false;
      if (after > little && free - amount < reserved) return false;
      if (stranger) {
        if (byStrangers + amount > strangers) return false;
        byStrangers += amount;
      }
      held.set(userId, after);
      all += amount;
      return true;
    },
    give({ userId, stranger }, amount = 1) {
      const left = (held.get(userId) ?? 0) - amount;
      if (left > 0) held.set(userId, left);
      else held.delete(userId);
      all -= amount;
      if (stranger) byStrangers -= amount;
    },
  };
}
