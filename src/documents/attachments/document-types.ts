/** Documents whose text is taken out of them, by the usual end of their names. */
export const DOCUMENT_TYPES = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
} as const;

export type DocumentType = (typeof DOCUMENT_TYPES)[keyof typeof DOCUMENT_TYPES];

const ALL: readonly string[] = Object.values(DOCUMENT_TYPES);

export const isDocument = (type: string): type is DocumentType => ALL.includes(type);

/** Documents that no model takes as they are. */
export const isOffice = (type: string): type is Exclude<DocumentType, 'application/pdf'> =>
  isDocument(type) && type !== DOCUMENT_TYPES.pdf;
