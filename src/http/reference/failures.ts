// The errors that a caller has to expect. They are derived from the route: one with input can find it invalid, one with
// authentication can refuse the caller. `default` stands for everything else, in the same shape.
import type { OpenAPI } from '@orpc/openapi';
import { z } from 'zod';
import { errorBody } from '../../contract/common.ts';
import { SCHEMA, SCIM_TYPE } from '../../scim/protocol/schema-names.ts';
import type { FailureShape } from './described-route.ts';

const openAiError = z.object({
  error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string().nullable() }),
});
const anthropicError = z.object({
  type: z.literal('error'),
  error: z.object({ type: z.string(), message: z.string() }),
});

/** The bodies of errors. */
export const FAILURE_SHAPES = {
  Error: errorBody.meta({ examples: [{ ok: false, error: 'not_found', message: 'There is nothing here.' }] }),
  OpenAiError: openAiError.meta({
    examples: [
      {
        error: {
          message: 'model: must be the id of a model.',
          type: 'invalid_request_error',
          param: 'model',
          code: 'invalid_request',
        },
      },
    ],
  }),
  AnthropicError: anthropicError.meta({
    examples: [{ type: 'error', error: { type: 'invalid_request', message: 'max_tokens: is required.' } }],
  }),
  OAuthError: z
    .object({ error: z.string(), error_description: z.string().optional() })
    .meta({ examples: [{ error: 'invalid_grant', error_description: 'The code was already used.' }] }),
  ScimError: z
    .object({ schemas: z.array(z.string()), status: z.string(), scimType: z.string().optional(), detail: z.string() })
    .meta({
      examples: [
        {
          schemas: [SCHEMA.error],
          status: '404',
          detail: 'The organization has no user with this id.',
        },
      ],
    }),
} as const satisfies Record<FailureShape, z.ZodType>;

function contentOf(shape: string): NonNullable<OpenAPI.ResponseObject['content']> {
  const type = shape === 'ScimError' ? SCIM_TYPE : 'application/json';
  return { [type]: { schema: { $ref: `#/components/schemas/${shape}` } } };
}

const REFERENCE = '#/components/responses/';

interface Refusal {
  readonly text: string;
  readonly headers?: Readonly<Record<string, OpenAPI.HeaderObject>>;
  readonly when: (operation: Asked) => boolean;
}

interface Asked {
  readonly path: string;
  readonly operation: OpenAPI.OperationObject;
}

const isKnown = ({ operation }: Asked): boolean => (operation.security ?? []).length > 0;
const hasBody = ({ operation }: Asked): boolean => operation.requestBody !== undefined;
const names = ({ path, operation }: Asked): boolean =>
  /\{\w+\}/.test(path) || (path.startsWith('/v1/') && operation.requestBody !== undefined);
/** Neither health, nor a page, nor a document that is the same for everyone. */
const isLimited = (asked: Asked): boolean => isKnown(asked) || /^\/api\/(?:auth|oauth)\//.test(asked.path);

const REFUSALS = {
  400: {
    text: 'The input cannot be read or is invalid',
    when: (asked) => hasBody(asked) || (asked.operation.parameters ?? []).length > 0,
  },
  401: { text: 'No session or token, or one that has ended', when: isKnown },
  403: {
    text: 'Not allowed for this caller',
    when: ({ operation }) =>
      (operation.security ?? []).some((one) => 'session' in one || 'connectToken' in one || 'scimToken' in one),
  },
  404: { text: 'It does not exist, or the caller may not see it', when: names },
  413: { text: 'The body is too large', when: hasBody },
  429: {
    text: 'Too many requests, or no budget left',
    when: isLimited,
    headers: { 'retry-after': { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } } },
  },
} as const satisfies Record<number, Refusal>;

/** The gateway's response to a request that it cannot read; the only refusal of routes without input. */
const MALFORMED: OpenAPI.ResponseObject = {
  description: 'The request cannot be read',
  content: { 'text/plain': { schema: { type: 'string' } } },
};

/** For `components.responses`: those that the paths refer to, named by shape and status. */
export function refusalResponses(paths: object): Record<string, OpenAPI.ResponseObject> {
  const printed = JSON.stringify(paths);
  const shaped = Object.keys(FAILURE_SHAPES).flatMap((shape) =>
    Object.entries<Refusal>(REFUSALS).map(([status, { text, headers }]): [string, OpenAPI.ResponseObject] => [
      `${shape}${status}`,
      {
        description: text,
        ...(headers ? { headers: { ...headers } } : {}),
        content: contentOf(shape),
      },
    ]),
  );
  return Object.fromEntries(
    [['Malformed', MALFORMED] as const, ...shaped].filter(([name]) => printed.includes(`"${REFERENCE}${name}"`)),
  );
}

/** The operation with its errors added to its responses. */
export function withRefusals(
  path: string,
  operation: OpenAPI.OperationObject,
  shape: FailureShape,
): OpenAPI.OperationObject {
  const expected = Object.entries<Refusal>(REFUSALS).filter(([, { when }]) => when({ path, operation }));
  return {
    ...operation,
    responses: {
      ...(expected.length === 0 ? { 400: { $ref: `${REFERENCE}Malformed` } } : {}),
      ...Object.fromEntries(expected.map(([status]) => [status, { $ref: `${REFERENCE}${shape}${status}` }])),
      ...operation.responses,
      default: {
        description: 'Any other error',
        content: contentOf(shape),
      },
    },
  };
}
