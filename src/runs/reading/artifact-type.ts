// The media type of a file that a run left, by its name: the content is the run's, so it is never sniffed. The file is
// always sent as an attachment, with a policy under which nothing in it may run.

const TEXT = 'text/plain; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  css: 'text/css; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: 'text/html; charset=utf-8',
  html: 'text/html; charset=utf-8',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  md: 'text/markdown; charset=utf-8',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ndjson: 'application/x-ndjson',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  tsv: 'text/tab-separated-values; charset=utf-8',
  wav: 'audio/wav',
  webp: 'image/webp',
  xml: 'application/xml',
  zip: 'application/zip',
};
/** Sent as plain text: sources, configurations, logs. */
const PLAIN =
  'bash bat c cfg conf cpp cs diff env go h hpp ini java js jsx kt log lua mjs patch php pl py r rb rs sh sql swift tex toml ts tsx txt yaml yml';

const PLAIN_NAMES = new Set(PLAIN.split(' '));

export function artifactType(name: string): string {
  const extension = /\.([a-z0-9]{1,8})$/.exec(name.toLowerCase())?.[1] ?? '';
  if (Object.hasOwn(TYPES, extension)) return TYPES[extension] ?? '';
  return PLAIN_NAMES.has(extension) ? TEXT : 'application/octet-stream';
}
