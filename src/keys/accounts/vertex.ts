// Google Vertex AI: Anthropic's models through rawPredict, others through its OpenAI-compatible path. A service-account
// key is exchanged for a token when a request is sent.
import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { getGoogleToken, KeyRefused, type ServiceAccountKey } from '../../clouds/get-google-token.ts';
import { UpstreamRefusal } from '../../model-providers/call-upstream.ts';
import { parseKey } from './parse-key.ts';
import type { AccountRow } from './account-row.ts';

/** The file that Google gives out; what is not needed here is not kept. */
const keyFile = z.object({
  type: z.literal('service_account'),
  client_email: z.email(),
  private_key_id: z.string().min(1).max(200).optional(),
  private_key: z.string().refine(isRsaKey),
  token_uri: z.url().default('https://oauth2.googleapis.com/token'),
});

export const VERTEX: AccountRow = {
  embeds: false,
  findUrlFault: ({ pathname, search }) =>
    search === '' && /\/projects\/[^/]+\/locations\/[^/]+\/?$/.test(pathname)
      ? undefined
      : 'must end with the project and the location, such as https://us-east5-aiplatform.googleapis.com/v1/projects/my-project/locations/us-east5',
  readKey(given) {
    const file = parseKey(keyFile, given);
    if (!file) return { fault: 'must be the JSON key of a service account, with client_email and private_key' };
    const key: ServiceAccountKey = {
      email: file.client_email,
      keyId: file.private_key_id,
      privateKey: file.private_key,
      tokenUrl: file.token_uri,
    };
    return { key: JSON.stringify(key), contacts: key.tokenUrl };
  },
  authorize: (key, request) => ({
    ...request,
    async authorize(dispatcher) {
      const token = await getGoogleToken(dispatcher, JSON.parse(key) as ServiceAccountKey).catch((error: unknown) => {
        throw error instanceof KeyRefused ? new UpstreamRefusal(401) : error;
      });
      return { authorization: `Bearer ${token}` };
    },
  }),
};

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
