// How a caller authenticates.
import type { OpenAPI } from '@orpc/openapi';
import { sessionCookieName } from '../../identity/sessions/session-cookie.ts';
import type { CallerKind } from './described-route.ts';

/** The schemes of each kind of caller; any one of them is enough. */
const SCHEMES = {
  session: ['session', 'sessionCookie'],
  connectToken: ['connectToken', 'connectTokenHeader'],
  webhookSignature: ['webhookSignature'],
  deliverySignature: ['deliverySignature'],
  debugToken: ['debugToken'],
  scimToken: ['scimToken'],
  anyone: [],
} as const satisfies Record<CallerKind, readonly string[]>;

export function securityOf(caller: CallerKind): OpenAPI.SecurityRequirementObject[] {
  return SCHEMES[caller].map((scheme) => ({ [scheme]: [] }));
}

export function securitySchemes(publicUrl: string): Record<string, OpenAPI.SecuritySchemeObject> {
  return {
    session: { type: 'http', scheme: 'bearer', description: 'The session token of `servicectl login` as bearer.' },
    sessionCookie: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName({ publicUrl }),
      description: 'The cookie of a signed-in browser.',
    },
    connectToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A connect token, from POST /api/tokens or OAuth.',
    },
    connectTokenHeader: {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description: "The connect token in a separate header, as Anthropic's clients send it.",
    },
    webhookSignature: {
      type: 'apiKey',
      in: 'header',
      name: 'x-provider-hmac-sha256',
      description: 'Hexadecimal HMAC-SHA256 of the raw body.',
    },
    deliverySignature: {
      type: 'apiKey',
      in: 'header',
      name: 'x-service-signature',
      description:
        'Of a generic trigger: sha256= and the hexadecimal HMAC-SHA256 of "<x-service-timestamp>.<raw body>". Other sources have their own published headers.',
    },
    debugToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'SERVICE_DEBUG_TOKEN, or a JWT signed with SERVICE_DEBUG_JWT_SECRET.',
    },
    scimToken: {
      type: 'http',
      scheme: 'bearer',
      description: "A SCIM token, from POST /api/organizations/{org}/scim-tokens or the organization's settings.",
    },
  };
}
