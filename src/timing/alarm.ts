/** Wakes a loop that waits on it. A ring while nothing waits is kept for the next wait. */
export interface Alarm {
  ring(): void;
  /** True if it rang within the time or before. */
  wait(ms: number): Promise<boolean>;
}

export function createAlarm(): Alarm {
  let rung = false;
  let wake = (): void => {};
  return {
    ring() {
      rung = true;
      wake();
    },
    async wait(ms) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (rung) wake();
      });
      const was = rung;
      rung = false;
      return was;
    },
  };
}
