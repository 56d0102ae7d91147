import { X509Certificate } from 'node:crypto';
import { createServer, connect } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createCertificateAuthority } from './certificate-authority.ts';

it('signs for the host that is asked for, in the eyes of a strict client, and for no other', async () => {
  const authority = createCertificateAuthority();
  const root = new X509Certificate(authority.certificate);
  expect(root.ca).toBe(true);
  expect(root.verify(root.publicKey)).toBe(true);
  const server = createServer({ SNICallback: (name, done) => done(null, authority.contextFor(name)) }, (socket) =>
    socket.end('hello'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = (servername: string, checked: string, ca = [authority.certificate]): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port, servername, ca }, () => {
        const certificate = socket.getPeerX509Certificate();
        resolve(certificate?.checkHost(checked) ?? 'another');
        socket.destroy();
      }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    });
  expect(await ask('api.example.com', 'api.example.com')).toBe('api.example.com');
  expect(await ask('api.example.com', 'other.example.com')).toBe('another');
  // Longer than what fits the short form of a length.
  const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`;
  expect(await ask(long, long)).toBe(long);
  expect(await ask('api.example.com', 'api.example.com', [createCertificateAuthority().certificate])).not.toBe(
    'api.example.com',
  );
  server.close();
});
