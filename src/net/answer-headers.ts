// Headers on every response of every server: no content sniffing, no framing. Pages add more of their own.
export const ANSWER_HEADERS = { 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' } as const;
