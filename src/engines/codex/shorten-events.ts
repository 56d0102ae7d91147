// Runs next to Codex, inside the sandbox. Codex's events contain the full output of commands; without shortening, a single
// command could use up the output limit of the run.
const LONGEST_TEXT = 24_000;

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
