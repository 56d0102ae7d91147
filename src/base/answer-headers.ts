// Headers on every answer of every server of ours, whatever wrote it: nobody is to take an answer for another type than
// it says, and none is shown in a frame. What is a page says more about itself.
export const ANSWER_HEADERS = { 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' } as const;
