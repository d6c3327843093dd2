import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '@moorage/domain';
import { type Clock, systemClock } from '@moorage/server';
import * as x509 from '@peculiar/x509';
import { OPTIONS } from '@moorage/tests/services/provisioner';
import { type Monitored, ResponseCheck } from './response-check.service';

const PLAIN: Monitored = {
  domain: null,
  admin_subdomain: null,
  instance_ip: '198.18.0.1',
  vps_ip_address: null,
  server_type: 'new',
};
const NEVER = new AbortController().signal;

const servers: TcpServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) (server as Server).closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function listen(server: TcpServer): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Connects every address to this port and records the dialled addresses. */
function checkAt(port: number, clock: Clock = systemClock()) {
  const dialled: string[] = [];
  const dial = (address: string, wanted: number) => {
    dialled.push(`${address} ${wanted}`);
    return Promise.resolve({ host: '127.0.0.1', port });
  };
  return { dialled, check: new ResponseCheck({ dial }, clock, OPTIONS) };
}

async function answersOf(listener: RequestListener, deployment: Monitored = PLAIN) {
  const { check, dialled } = checkAt(await listen(createHttpServer(listener)));
  return { answers: (await check.responseMs(deployment, NEVER)) !== null, dialled };
}

describe('reachable deployment', () => {
  it.each([
    [200, true],
    [204, true],
    [308, true],
    [401, true],
    [404, true],
    [499, true],
    [500, false],
    [502, false],
    [504, false],
  ])('with %i: %s', async (status, reachable) => {
    const { answers } = await answersOf((_, response) => response.writeHead(status).end());
    expect(answers).toBe(reachable);
  });

  it('responds with a redirect, which is not followed', async () => {
    let requested = 0;
    const { answers, dialled } = await answersOf((request, response) => {
      requested += 1;
      response.writeHead(302, { location: `http://${request.headers.host ?? ''}/elsewhere` }).end();
    });
    expect([answers, requested]).toEqual([true, 1]);
    expect(dialled).toEqual(['198.18.0.1 80']);
  });

  it('responds with an endless page, of which nothing is read', async () => {
    const gone = new Promise<void>((resolve) => {
      void answersOf((_, response) => {
        response.on('close', resolve);
        response.writeHead(200).write('x');
      }).then(({ answers }) => expect(answers).toBe(true));
    });
    await gone;
  });

  it('responds at its domain over TLS, under its own name and with any certificate', async () => {
    const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
    const created = await x509.X509CertificateGenerator.createSelfSigned(
      {
        name: 'CN=TRAEFIK DEFAULT CERT',
        notAfter: new Date(Date.now() + DAY_MS),
        keys,
        signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      },
      webcrypto,
    );
    const exported = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
    const key = `-----BEGIN PRIVATE KEY-----\n${exported}\n-----END PRIVATE KEY-----`;
    const hosts: unknown[] = [];
    const server = createHttpsServer({ key, cert: created.toString('pem') }, (request, response) => {
      hosts.push(request.headers.host, (request.socket as unknown as { servername: string }).servername);
      response.writeHead(401).end();
    });
    const { check, dialled } = checkAt(await listen(server));
    const deployment = { ...PLAIN, domain: 'example.com', admin_subdomain: 'admin' };
    expect(await check.responseMs(deployment, NEVER)).not.toBeNull();
    expect(hosts).toEqual(['admin.example.com', 'admin.example.com']);
    expect(dialled).toEqual(['198.18.0.1 443']);
  });
});

describe('unreachable deployment', () => {
  it.each([
    ['closes the connection', ''],
    ['uses another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ])('does not respond because its server %s', async (_, words) => {
    const { check } = checkAt(await listen(createTcpServer((socket) => socket.resume().end(words))));
    expect(await check.responseMs(PLAIN, NEVER)).toBeNull();
  });

  it('has no listener or no route', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    servers.pop();
    server.close();
    await once(server, 'close');
    expect(await checkAt(port).check.responseMs(PLAIN, NEVER)).toBeNull();
    const refusing = { dial: () => Promise.reject(new Error('connect ECONNREFUSED')) };
    expect(await new ResponseCheck(refusing, systemClock(), OPTIONS).responseMs(PLAIN, NEVER)).toBeNull();
  });

  it('is given up after ten seconds', async () => {
    const waits: number[] = [];
    const server = createHttpServer();
    const isRequested = once(server, 'request');
    const clock: Clock = {
      ...systemClock(),
      sleep: async (ms) => {
        waits.push(ms);
        await isRequested;
      },
    };
    const { check } = checkAt(await listen(server), clock);
    expect(await check.responseMs(PLAIN, NEVER)).toBeNull();
    expect(waits).toEqual([10_000]);
  });

  it.each(['127.0.0.1', '10.0.0.7', '169.254.169.254', '::1'])(
    "on the customer's own server at %s is not connected to",
    async (address) => {
      const own: Monitored = { ...PLAIN, server_type: 'vps', instance_ip: null, vps_ip_address: address };
      const { answers, dialled } = await answersOf((_, response) => response.end(), own);
      expect([answers, dialled]).toEqual([false, []]);
    },
  );
});

it("connects to the public address of the customer's own server", async () => {
  const own: Monitored = { ...PLAIN, server_type: 'vps', instance_ip: null, vps_ip_address: '2a01:4f8::1' };
  const hosts: unknown[] = [];
  const { answers, dialled } = await answersOf((request, response) => {
    hosts.push(request.headers.host);
    response.end();
  }, own);
  expect([answers, dialled, hosts]).toEqual([true, ['2a01:4f8::1 80'], ['[2a01:4f8::1]']]);
});
