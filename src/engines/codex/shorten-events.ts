// Runs beside Codex, inside the sandbox: what a command prints is in Codex's events in full, and without shortening it
// one command could use up all the output that the sandbox lets a run make.
export const LONGEST_TEXT = 24_000;

export const SHORTEN_EVENTS = `const { createInterface } = require('node:readline');
const longest = ${LONGEST_TEXT};
const shorten = (key, value) => typeof value === 'string' && value.length > longest ? value.slice(0, longest / 2) + '\\n[…]\\n' + value.slice(-longest / 2) : value;
createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
  try {
    const event = JSON.parse(line, shorten);
    if (event.type !== 'item.updated') console.log(JSON.stringify(event));
  } catch {}
});
`;
