// What a model was asked, in any of the three protocols, as far as the stand-in's rules look at it. Written without the
// gateway's codecs, so that a request which those made is read here by other code.

export interface Tool {
  readonly name: string;
  readonly schema: {
    readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
    readonly required?: readonly string[];
  };
}

export interface Said {
  readonly by: 'user' | 'model' | 'tool';
  readonly text: string;
}

export interface Asked {
  readonly said: readonly Said[];
  readonly tools: readonly Tool[];
  /** The answer has to be JSON of a schema. */
  readonly wantsJson: boolean;
  /** The client asked for reasoning that is shown or sent back. */
  readonly thinks: boolean;
}

interface Part {
  readonly type?: string;
  readonly text?: string;
  readonly content?: unknown;
  readonly output?: unknown;
  readonly role?: string;
  readonly tool_calls?: unknown;
}
interface OfferedTool {
  readonly name?: string;
  readonly type?: string;
  readonly parameters?: Tool['schema'];
  readonly input_schema?: Tool['schema'];
  readonly function?: { readonly name: string; readonly parameters?: Tool['schema'] };
}
interface Body {
  readonly messages?: readonly Part[];
  readonly input?: string | readonly Part[];
  readonly tools?: readonly OfferedTool[];
  readonly response_format?: { readonly type?: string };
  readonly text?: { readonly format?: { readonly type?: string } };
  readonly output_config?: { readonly format?: unknown };
  readonly thinking?: { readonly type?: string } | null;
  readonly reasoning?: { readonly effort?: string | null } | null;
}

export function readAsked(json: unknown): Asked {
  const body = (json ?? {}) as Body;
  const input = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : (body.input ?? []);
  return {
    said: [...(body.messages ?? []), ...input].flatMap(readPart),
    tools: (body.tools ?? []).flatMap(readTool),
    wantsJson:
      body.response_format?.type?.startsWith('json') === true ||
      body.text?.format?.type?.startsWith('json') === true ||
      body.output_config?.format !== undefined,
    thinks:
      (body.thinking?.type ?? 'disabled') !== 'disabled' ||
      (typeof body.reasoning?.effort === 'string' && body.reasoning.effort !== 'none'),
  };
}

function readPart(part: Part): Said[] {
  if (part.type?.endsWith('_call_output')) return [{ by: 'tool', text: textOf(part.output) }];
  if (part.role === 'tool') return [{ by: 'tool', text: textOf(part.content) }];
  if (part.role === 'assistant') return [{ by: 'model', text: textOf(part.content) }];
  if (part.role !== 'user') return [];
  const blocks = Array.isArray(part.content) ? (part.content as Part[]) : [];
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }): Said => ({ by: 'tool', text: textOf(content) }));
  const text = textOf(part.content);
  return text === '' ? results : [...results, { by: 'user', text }];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as Part[])
    .map(({ text }) => text ?? '')
    .join('\n')
    .trim();
}

/** Tools that the client runs by name; a namespace, a custom tool and those of the provider are never called here. */
function readTool(tool: OfferedTool): Tool[] {
  if (tool.function) return [{ name: tool.function.name, schema: tool.function.parameters ?? {} }];
  if (
    tool.name === undefined ||
    (tool.type !== undefined && tool.type !== 'function' && tool.input_schema === undefined)
  )
    return [];
  return [{ name: tool.name, schema: tool.parameters ?? tool.input_schema ?? {} }];
}
