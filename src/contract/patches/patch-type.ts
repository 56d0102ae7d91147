/** The media type of a patch. */
export const PATCH_TYPE = 'text/x-diff';
