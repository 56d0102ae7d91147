// The output of a command as the model sees it: the beginning, how much is missing, and the end, where commands report
// what went wrong.
const HEAD_CHARS = 12_000;
const TAIL_CHARS = 12_000;

export const droppedNote = (limitBytes: number): string => `\n[output beyond ${limitBytes} bytes was dropped]`;

export interface OutputKeeper {
  add(text: string): void;
  /** The controller has dropped the output beyond its own limit. */
  droppedBeyond(limitBytes: number): void;
  read(): { readonly text: string; readonly cutChars: number };
}

export function keepOutput(headChars = HEAD_CHARS, tailChars = TAIL_CHARS): OutputKeeper {
  let head = '';
  let tail = '';
  let cutChars = 0;
  let note = '';
  return {
    add(text) {
      const room = headChars - head.length;
      head += text.slice(0, Math.max(0, room));
      tail += text.slice(Math.max(0, room));
      const over = tail.length - tailChars;
      if (over <= 0) return;
      cutChars += over;
      tail = tail.slice(over);
    },
    droppedBeyond(limitBytes) {
      note = droppedNote(limitBytes);
    },
    read() {
      const middle = cutChars > 0 ? `\n[… ${cutChars} characters cut …]\n` : '';
      return { text: `${head}${middle}${tail}${note}`.toWellFormed().replaceAll('\0', '\u{fffd}'), cutChars };
    },
  };
}
