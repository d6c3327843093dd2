import { afterAll, describe, expect, it } from '@jest/globals';
import { CloudflareRecords, DigitalOceanRecords, HetznerRecords } from '@moorage/dns';
import { systemClock } from '@moorage/server';
import {
  FAKE_TOKEN,
  fakeCloudflare,
  fakeDigitalOceanDns,
  fakeHetznerDns,
  type FakeRecordApi,
} from '@moorage/tests/fakes/record-apis';
import { failsWith, platformDnsSuite } from '@moorage/tests/suites/platform-dns.suite';
import { markOf } from './platform-dns';
import { ApiPlatformDns } from './api-platform-dns';

const ZONE = 'example.com';
const DOMAIN = 'apps.example.com';
const opened: FakeRecordApi[] = [];
afterAll(async () => {
  for (const api of opened) await api.stop();
});

describe.each([
  ['Cloudflare', fakeCloudflare, CloudflareRecords],
  ['DigitalOcean', fakeDigitalOceanDns, DigitalOceanRecords],
  ['Hetzner', fakeHetznerDns, HetznerRecords],
] as const)('%s', (title, fake, Records) => {
  async function open(token = FAKE_TOKEN) {
    const api = await fake(ZONE);
    opened.push(api);
    // Records of the operator, which fill more than a page.
    const own = ['example.com', 'www.example.com', 'mail.example.com', DOMAIN];
    api.records = own.map((name, index) => ({ id: -index, name, type: 'A', value: '203.0.113.1' }));
    const records = new Records({ zone: ZONE, token, baseUrl: api.baseUrl }, { clock: systemClock() });
    return { api, dns: new ApiPlatformDns(records, () => Promise.resolve(markOf('key'))) };
  }

  platformDnsSuite(title, async () => {
    const { api, dns } = await open();
    return {
      dns,
      domain: DOMAIN,
      add(record) {
        api.records.push({ id: 1_000_000 + api.records.length, ...record });
        return Promise.resolve();
      },
      deleteAddresses(name) {
        api.records = api.records.filter((one) => one.name !== name || one.type === 'TXT');
        return Promise.resolve();
      },
      zone: () => Promise.resolve(api.records.map(({ name, type, value }) => `${name} ${type} ${value}`).sort()),
    };
  });

  const { signal } = new AbortController();
  const name = `shop.${DOMAIN}`;

  it.each([
    [403, 'refused'],
    [422, 'invalid'],
    [429, 'rate_limit'],
    [500, 'transient'],
  ] as const)('reports status %i as %s, without the token', async (status, kind) => {
    const { api, dns } = await open();
    api.failing = status;
    const failure = await dns.list(signal).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind, retry_after_ms: status === 429 ? 7_000 : null });
    expect(String(failure)).not.toContain(FAKE_TOKEN);
    await failsWith(dns.put({ name, address: '5.9.0.1' }, signal), kind);
  });

  it('reports a wrong token and an unreachable provider', async () => {
    const { api, dns } = await open('another-token');
    await failsWith(dns.list(signal), 'refused');
    await api.stop();
    await failsWith(dns.list(signal), 'transient');
  });

  it('completes a name whose creation was interrupted after the mark', async () => {
    const { api, dns } = await open();
    api.records.push({ id: 7, name, type: 'TXT', value: markOf('key') });
    await dns.put({ name, address: '5.9.0.1' }, signal);
    expect(await dns.list(signal)).toEqual([{ name, addresses: ['5.9.0.1'], wildcard: ['5.9.0.1'] }]);
  });
});
