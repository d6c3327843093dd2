import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { boundedDownload } from './download';

describe('download', () => {
  let server: Server;
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  async function download(listener: RequestListener): Promise<string> {
    server = createServer(listener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return boundedDownload(`http://127.0.0.1:${(server.address() as AddressInfo).port}/key.pem`);
  }

  it('returns the text at the URL', async () => {
    expect(await download((_, response) => response.end('PEM'))).toBe('PEM');
  });

  it('aborts when the response is larger than a key', async () => {
    await expect(download((_, response) => response.end('x'.repeat(65 * 1024)))).rejects.toThrow('65536 bytes');
  });

  it('fails when nothing is found', async () => {
    await expect(download((_, response) => response.writeHead(404).end('PEM'))).rejects.toThrow('returned status 404');
  });

  it('follows no redirects', async () => {
    let requested = 0;
    const redirect: RequestListener = (_, response) => {
      requested += 1;
      response.writeHead(302, { location: '/other.pem' }).end();
    };
    await expect(download(redirect)).rejects.toThrow();
    expect(requested).toBe(1);
  });
});
