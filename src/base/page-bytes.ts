/**
 * How much one page of a list holds, besides its limit by number: it ends before the item that would exceed this, and has
 * at least one. Sending more at once would keep the process, and what waits for it, from everything else.
 */
export const PAGE_BYTES = 1024 * 1024;
