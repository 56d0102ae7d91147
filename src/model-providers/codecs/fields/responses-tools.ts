// The tools of a Responses body.
import { z } from 'zod';
import { any, list, object, only, plain, unpriced } from '../../bounds/rules.ts';
import { type Cell, type Cells, leftOut, passed, refused, translated, type Unless } from './cells.ts';
import { alike, by, field, kindsOf, many, printOf, section, unprinted, within } from './rows.ts';

/** OpenAI's own protocol, and the two targets for which it is translated. */
export const fromResponses = (anthropic: Cell, account: Cell = anthropic): Cells => ({
  openai: passed(),
  anthropic,
  account,
});

export const KIND = field(fromResponses(translated('the kind of the other protocol')), plain, unprinted);
const DIRECT: Unless = { test: (value) => Array.isArray(value) && value.includes('direct'), says: 'with `direct`' };
const callers = list(only('direct'));

/** What every tool that the client defines has. */
const name = field(fromResponses(translated('name')), plain, z.string().optional());
const description = field(fromResponses(translated('description')), plain, z.string().nullish());
const called = {
  cache_control: field(
    fromResponses(translated('cache_control'), leftOut('it affects only the price')),
    unpriced,
    unprinted,
  ),
  async: field(fromResponses(leftOut('the client decides when to answer a call')), plain, unprinted),
  defer_loading: field(fromResponses(leftOut('the tool is available from the start')), plain, unprinted),
  allowed_callers: field(fromResponses(refused('this model cannot call a tool from code', DIRECT)), callers, unprinted),
};

const functionTool = section('Tool `function`', {
  type: {
    ...KIND,
    schema: z.string().describe('function, custom and namespace tools run at the client, others at the provider.'),
  },
  name,
  description,
  parameters: field(
    fromResponses(translated('input_schema'), translated('parameters')),
    any,
    z.looseObject({}).nullish(),
  ),
  strict: field(fromResponses(translated('strict')), plain, z.boolean().nullish()),
  output_schema: field(fromResponses(leftOut('results are passed as they are')), any, unprinted),
  ...called,
});

const customTool = section('Tool `custom`', {
  type: KIND,
  name,
  description,
  format: field(fromResponses(translated('added to the description')), any, unprinted),
  ...called,
});

const FLAT = fromResponses(translated('a function; calls are returned in the form of the client’s tool'));
const CALLED = fromResponses(translated('its calls become the items that the client expects'));

const innerTool = kindsOf('Tools of a namespace', by('type', 'tool'), {
  function: within(FLAT, functionTool),
  custom: within(FLAT, customTool),
});

const namespaceTool = section('Tool `namespace`', {
  type: KIND,
  name: field(fromResponses(translated('part of the names of its tools')), plain, unprinted),
  description: field(fromResponses(translated('included with the first of its tools')), plain, unprinted),
  tools: within(fromResponses(translated('tools')), innerTool, many, unprinted),
});

const tool = kindsOf('Tools', by('type', 'tool'), {
  function: within(fromResponses(translated('a tool')), functionTool),
  custom: within(FLAT, customTool),
  namespace: within(fromResponses(translated('each of its tools becomes one')), namespaceTool),
  local_shell: field(CALLED, object({ type: plain }), unprinted),
  shell: field(
    CALLED,
    object({ type: plain, environment: object({ type: only('local'), skills: any }), allowed_callers: callers }),
    unprinted,
  ),
  apply_patch: field(CALLED, object({ type: plain, allowed_callers: callers }), unprinted),
  tool_search: field(
    CALLED,
    object({ type: plain, execution: only('client'), description: plain, parameters: any }),
    unprinted,
  ),
  ...alike(
    field(
      fromResponses(
        leftOut('it runs at OpenAI; named in `x-service-left-out`, and refused where `tool_choice` demands it'),
      ),
      unpriced,
      unprinted,
    ),
    'computer',
    'computer_use_preview',
    'web_search',
    'web_search_2025_08_26',
    'web_search_preview',
    'web_search_preview_2025_03_11',
    'file_search',
    'mcp',
    'code_interpreter',
    'programmatic_tool_calling',
    'image_generation',
  ),
});

export const responseTools = z.array(printOf(functionTool)).optional();
export const tools = within(fromResponses(translated('tools')), tool, many, () => responseTools);

export const RESPONSES_TOOLS = { tool, functionTool, customTool, namespaceTool, innerTool } as const;
