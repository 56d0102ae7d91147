// The media type of a file that a run left, by its name: the content is the run's, so it is never sniffed. The file is
// always sent as an attachment, with a policy under which nothing in it may run.

const TEXT = 'text/plain; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  csv: 'text/csv; charset=utf-8',
  gif: 'image/gif',
  gz: 'application/gzip',
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
  tar: 'application/x-tar',
  tsv: 'text/tab-separated-values; charset=utf-8',
  wav: 'audio/wav',
  webp: 'image/webp',
  zip: 'application/zip',
};
/** Sent as plain text: sources, configurations, logs, and everything that a browser might run or style a page with. */
const PLAIN =
  'bash bat c cfg conf cpp cs css diff env go h hpp htm html ini java js jsx kt log lua mjs patch php pl py r rb rs sh sql svg swift tex toml ts tsx txt xml yaml yml';

const PLAIN_NAMES = new Set(PLAIN.split(' '));

export function artifactType(name: string): string {
  const extension = /\.([a-z0-9]{1,8})$/.exec(name.toLowerCase())?.[1] ?? '';
  if (Object.hasOwn(TYPES, extension)) return TYPES[extension] ?? '';
  return PLAIN_NAMES.has(extension) ? TEXT : 'application/octet-stream';
}
