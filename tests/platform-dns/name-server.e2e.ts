import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeRunFolder, removeRunFolder } from '@moorage/testing';
import { systemClock, systemRandom } from '@moorage/server';
import { failsWith, markOf, platformDnsSuite, Rfc2136PlatformDns } from '../services/provisioner/platform-dns';
import { type NameServer, nameServer } from './name-server';

const ZONE = 'platform.test';
const MARK = markOf('key');
const { signal } = new AbortController();

let folder: string;
let server: NameServer;
beforeAll(async () => {
  folder = await makeRunFolder();
  server = await nameServer(folder, ZONE);
});
afterAll(async () => {
  await server.stop();
  await removeRunFolder(folder);
});

function dnsWith(change: { secret?: Buffer; now?: () => number } = {}): Rfc2136PlatformDns {
  const { port, key } = server;
  const { secret = key.secret, now = () => systemClock().systemNow() } = change;
  return new Rfc2136PlatformDns(
    { zone: ZONE, host: '127.0.0.1', port, key: { name: key.name, secret } },
    () => Promise.resolve(MARK),
    { random: systemRandom(), clock: { systemNow: now } },
  );
}

/** Zones of the suite, so that no example sees records of another. */
let domains = 0;
platformDnsSuite('a name server over RFC 2136', () => {
  const domain = `d${++domains}.${ZONE}`;
  const dns = dnsWith();
  const within = async (given: AbortSignal) =>
    (await dns.list(given)).filter(({ name }) => name.endsWith(`.${domain}`));
  const names = ['shop', 'other'].flatMap((label) => [`${label}.${domain}`, `*.${label}.${domain}`]);
  return Promise.resolve({
    dns: { list: within, put: dns.put.bind(dns), remove: dns.remove.bind(dns) },
    domain,
    add: ({ name, type, value }) =>
      server.update(`update add ${name} 60 ${type} "${value}"`.replace(/A "(.*)"/, 'A $1')),
    deleteAddresses: (name) => server.update(`update delete ${name} A`),
    async zone() {
      const lines: string[] = [];
      for (const name of names)
        for (const type of ['A', 'AAAA', 'TXT'])
          for (const value of await server.lookup(name, type)) lines.push(`${name} ${type} ${value}`);
      return lines.sort();
    },
  });
});

describe('a name server of Debian', () => {
  const name = `journey.${ZONE}`;

  it('answers for the name and everything below it, until the records are removed', async () => {
    const dns = dnsWith();
    await dns.put({ name, address: '5.9.0.1' }, signal);
    expect(await server.lookup(name, 'A')).toEqual(['5.9.0.1']);
    expect(await server.lookup(`admin.${name}`, 'A')).toEqual(['5.9.0.1']);
    await server.update(`update delete ${name} A`);
    expect(await server.lookup(name, 'A')).toEqual([]);
    await dns.put({ name, address: '5.9.0.1' }, signal);
    expect(await server.lookup(name, 'A')).toEqual(['5.9.0.1']);
    await dns.remove(name, signal);
    expect([...(await server.lookup(name, 'ANY')), ...(await server.lookup(`admin.${name}`, 'A'))]).toEqual([]);
  });

  it('transfers a zone of many names in several signed messages', async () => {
    const dns = dnsWith();
    const many = Array.from({ length: 1_500 }, (_, index) => `many-${index}.big.${ZONE}`);
    for (let from = 0; from < many.length; from += 250)
      await server.update(
        ...many
          .slice(from, from + 250)
          .flatMap((each) => [`update add ${each} 60 A 5.9.0.1`, `update add ${each} 60 TXT "${MARK}"`]),
      );
    const found = await dns.list(signal);
    expect(found.filter((each) => each.name.endsWith(`.big.${ZONE}`))).toHaveLength(many.length);
  });

  it('refuses a wrong key, and a clock that is wrong', async () => {
    const wrong = dnsWith({ secret: Buffer.alloc(32) });
    await failsWith(wrong.list(signal), 'refused');
    await failsWith(wrong.put({ name, address: '5.9.0.1' }, signal), 'refused');
    await failsWith(dnsWith({ now: () => systemClock().systemNow() - 3_600_000 }).list(signal), 'refused');
    expect(await server.lookup(name, 'A')).toEqual([]);
  });

  it('is waited for while it is down', async () => {
    await server.stop();
    await failsWith(dnsWith().list(signal), 'transient');
    await server.start();
    await dnsWith().put({ name, address: '5.9.0.1' }, signal);
    expect(await server.lookup(name, 'A')).toEqual(['5.9.0.1']);
    await dnsWith().remove(name, signal);
  });
});
