// What may be attached to a message. The browser says it before a file is chosen, the server holds to it.

export const ATTACHMENT_LIMITS = { files: 20, bytes: 20 * 1024 * 1024 } as const;

/** Shown in the page itself. Anything that can carry a script, such as SVG, is only ever a download. */
export const SHOWN_IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** What a document consists of. */
export const FILE_PARTS = ['page', 'sheet', 'slide'] as const;

export interface FileParts {
  readonly kind: (typeof FILE_PARTS)[number];
  readonly count: number;
}
