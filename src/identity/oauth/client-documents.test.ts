import { expect, it } from 'vitest';
import { checkDocumentUrl, createClientDocuments, readDocument } from './client-documents.ts';

const URL_OF_CLIENT = 'https://client.example/oauth/client.json';
const invalid = expect.objectContaining({ error: 'invalid_client' });

it('accepts an https URL with a path', () => {
  expect(() => checkDocumentUrl(URL_OF_CLIENT, false)).not.toThrow();
  expect(() => checkDocumentUrl('http://127.0.0.1:9/client.json', true)).not.toThrow();
});

it.each([
  'http://client.example/client.json',
  'https://client.example',
  'https://client.example/',
  'https://client.example/a/../client.json',
  'https://user@client.example/c',
  'https://client.example/c#f',
  'https://127.0.0.1/client.json',
  'https://[::1]/client.json',
  'https://2130706433/client.json',
  'https://169.254.169.254/latest',
  'https:',
])('refuses %s as a client id', (url) => expect(() => checkDocumentUrl(url, false)).toThrow(invalid));

it('reads a public client out of the document and refuses any other', () => {
  const document = { client_id: URL_OF_CLIENT, client_name: 'A client', redirect_uris: ['http://localhost/cb'] };
  expect(readDocument(URL_OF_CLIENT, document)).toMatchObject({
    id: URL_OF_CLIENT,
    name: 'A client',
    applicationType: 'native',
  });
  expect(() => readDocument(`${URL_OF_CLIENT}?x`, document)).toThrow(invalid);
  expect(() => readDocument(URL_OF_CLIENT, { ...document, client_secret: 'x' })).toThrow(invalid);
  expect(() => readDocument(URL_OF_CLIENT, { ...document, token_endpoint_auth_method: 'private_key_jwt' })).toThrow(
    invalid,
  );
  expect(() => readDocument(URL_OF_CLIENT, null)).toThrow(invalid);
});

it('reads none if that is turned off', async () => {
  const documents = createClientDocuments({ allowPrivateUrls: true, clientDocuments: false });
  await expect(documents.get('http://127.0.0.1:9/client.json')).rejects.toThrow(/must register itself/);
  await documents.close();
});

it('does not connect to a private address under a public-looking name', async () => {
  const documents = createClientDocuments({ allowPrivateUrls: false });
  await expect(documents.get('https://localhost/client.json')).rejects.toThrow(invalid);
  await documents.close();
});
