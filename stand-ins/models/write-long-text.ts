// As many words as requested, up to a limit: a long answer to watch arriving, and to stop.
const USUAL_WORDS = 400;
const MOST_WORDS = 4_000;

const SENTENCES = [
  'This sentence was not written by a model.',
  'It is here so that the answer takes its time.',
  'You can stop it at any moment, and what has arrived stays.',
  'You can reload the page, and the answer goes on where it was.',
  'What it costs is counted in the same way as for a real answer.',
];

export function writeLongText(said: string): string {
  const wanted = Number(/\b(\d{2,5})\s+words?\b/i.exec(said)?.[1] ?? USUAL_WORDS);
  const most = Math.min(wanted, MOST_WORDS);
  const paragraphs: string[] = [];
  for (let words = 0; words < most;) {
    const text = `${paragraphs.length + 1}. ${SENTENCES.join(' ')}`;
    words += text.split(' ').length;
    paragraphs.push(text);
  }
  return paragraphs.join('\n\n');
}
