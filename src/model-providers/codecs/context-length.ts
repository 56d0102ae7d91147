// Reports a conversation that is too long in the words clients look for. Claude Code compacts on Anthropic's sentence
// and reads both numbers from it; Qwen Code and others look for OpenAI's. OpenAI-compatible servers have sentences of
// their own, which are recognized here and rewritten for the client's surface.

const SAYS_TOO_LONG = [
  /prompt is too long/i,
  /exceed context limit/i,
  /input is too long for (?:the )?requested model/i,
  /maximum context length/i,
  /exceeds? the (?:available |model'?s )?context (?:window|size|length)/i,
  /context[ _-]?(?:length|window|size)[ _-]exceeded/i,
  /input token count .{0,80}exceeds the maximum/i,
] as const;

const ANTHROPIC_WORDS = /prompt is too long|exceed context limit/i;
const OPENAI_WORDS = /maximum context length|exceeds the context window/i;

export function isTooLongMessage(message: string): boolean {
  return SAYS_TOO_LONG.some((pattern) => pattern.test(message));
}

export function tooLongForAnthropic(message: string): string {
  if (ANTHROPIC_WORDS.test(message)) return message;
  const { tokens, limit } = readCounts(message);
  return tokens === undefined || limit === undefined
    ? 'prompt is too long: the input exceeds the context window of this model'
    : `prompt is too long: ${tokens} tokens > ${limit} maximum`;
}

export function tooLongForOpenAi(message: string): string {
  if (OPENAI_WORDS.test(message)) return message;
  const { tokens, limit } = readCounts(message);
  if (tokens === undefined || limit === undefined)
    return 'Your input exceeds the context window of this model. Please adjust your input and try again.';
  return `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`;
}

const NUMBER = '(\\d[\\d,]{0,14})';
/** The groups of a pattern: the requested tokens, which some servers report in two parts, and the limit. */
const COUNTS: readonly { readonly pattern: RegExp; readonly tokens: readonly number[]; readonly limit: number }[] = [
  { pattern: new RegExp(`${NUMBER} tokens? > ${NUMBER}`, 'i'), tokens: [1], limit: 2 },
  { pattern: new RegExp(`context limit: ${NUMBER} \\+ ${NUMBER} > ${NUMBER}`, 'i'), tokens: [1, 2], limit: 3 },
  {
    pattern: new RegExp(
      `maximum context length is ${NUMBER} tokens.{0,60}?(?:requested|resulted in)(?: about)? ${NUMBER} tokens`,
      'is',
    ),
    tokens: [2],
    limit: 1,
  },
  {
    pattern: new RegExp(
      `\\(${NUMBER}(?: tokens)?\\) exceeds the (?:available context size|maximum number of tokens allowed) \\(${NUMBER}`,
      'i',
    ),
    tokens: [1],
    limit: 2,
  },
];

function readCounts(message: string): { tokens?: number; limit?: number } {
  for (const { pattern, tokens, limit } of COUNTS) {
    const found = pattern.exec(message);
    if (found)
      return { tokens: tokens.reduce((sum, group) => sum + toNumber(found[group]), 0), limit: toNumber(found[limit]) };
  }
  return {};
}

function toNumber(text = ''): number {
  return Number(text.replaceAll(',', ''));
}
