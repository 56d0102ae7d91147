// What every script of a library does: each step's outcome is one line of JSON on standard output; the driver decides
// whether it is right. The process stays until its input ends, so that only the client's own abort closes a connection.
export const origin = process.env.SERVICE_ORIGIN;
export const api = `${origin}/v1`;
export const token = process.env.SERVICE_TOKEN;
export const model = process.env.SERVICE_MODEL;
const word = process.env.SERVICE_WORD;
export const UNKNOWN_MODEL = 'nobody/no-such-model';

export const TASKS = {
  read: 'Please call read_note and tell me what it says. task:read note',
  repeat: 'What did the note say? task:repeat',
  tell: `Please answer with the word. task:tell ${word}`,
  wait: 'Please write a long story of 900 words. task:wait',
  overflow: 'This is too long. task:overflow',
  fill: `Please fill the form with the word. task:fill ${word}`,
};

export const TOOL = {
  name: 'read_note',
  description: 'Reads the note.',
  parameters: {
    type: 'object',
    properties: { title: { type: 'string', description: 'Which note.' } },
    required: ['title'],
    additionalProperties: false,
  },
};
let calls = 0;
export const readNote = () => {
  calls += 1;
  return `The note has the word ${word}.`;
};

/** Named steps, run in the order of the driver's list; each returns what it saw, or throws what the client threw. */
export async function report(steps) {
  for (const name of process.env.SERVICE_STEPS.split(',')) {
    if (!steps[name]) continue;
    calls = 0;
    const seen =
      name === 'abort'
        ? await abortInTheMiddle(steps.abort)
        : await steps[name]().then(
            (value) => ({ value, calls }),
            (error) => ({ error: describe(error) }),
          );
    process.stdout.write(`${JSON.stringify({ step: name, ...seen })}\n`);
  }
  process.stdout.write('{"done":true}\n');
  await new Promise((resolve) => process.stdin.on('end', resolve).resume());
  process.exit(0);
}

/** The step calls back when the first piece is there. */
async function abortInTheMiddle(step) {
  const controller = new AbortController();
  let pieces = 0;
  const onPiece = () => {
    pieces += 1;
    controller.abort();
  };
  const error = await step(controller.signal, onPiece).then(() => undefined, describe);
  return { value: { pieces }, ended: error };
}

/** Through the errors that libraries wrap each other's in. */
function describe(error) {
  const chain = [];
  for (let one = error; one && chain.length < 6; one = one.cause ?? one.lastError) chain.push(one);
  const find = (name) => chain.map((one) => one[name]).find((value) => value !== undefined && value !== null);
  return {
    name: error?.name,
    status: find('status') ?? find('statusCode'),
    code: find('code'),
    text: chain
      .map((one) => [one.message, safeJson(one.error), one.responseBody, safeJson(one.data)].filter(Boolean).join(' '))
      .join(' < ')
      .slice(0, 2_000),
  };
}

function safeJson(value) {
  try {
    return value === undefined ? undefined : JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Joins what a stream gives. */
export async function collect(stream, textOf) {
  let [text, pieces] = ['', 0];
  for await (const event of stream) {
    const piece = textOf(event) ?? '';
    if (piece === '') continue;
    text += piece;
    pieces += 1;
  }
  return { text, pieces };
}
