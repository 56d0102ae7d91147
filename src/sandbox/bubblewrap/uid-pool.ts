/** Hands out numbers from a range, the lowest free one first. */
export interface UidPool {
  take(): number | undefined;
  give(uid: number): void;
}

export function createUidPool(base: number, count: number): UidPool {
  const taken = new Set<number>();
  return {
    take() {
      for (let uid = base; uid < base + count; uid++) {
        if (taken.has(uid)) continue;
        taken.add(uid);
        return uid;
      }
      return undefined;
    },
    give: (uid) => void taken.delete(uid),
  };
}
