import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type ConnectTransport, DomainConnect, publicConnectTransport } from './domain-connect';
import { PublicRoute } from './public-route';

const { signal } = new AbortController();
const REQUEST = {
  service: 'pangolin',
  domain: 'shop.example.com',
  groups: ['admin-a', 'wildcard-a'],
  address: '203.0.113.7',
};
const SETTINGS = {
  providerId: 'dns.example',
  providerName: 'DNS Example',
  urlSyncUX: 'https://connect.dns.example/sync/',
  urlAPI: 'https://api.dns.example',
};

function opened({
  text = 'connect.dns.example/api',
  settings = SETTINGS,
  status = 200,
  key = null,
}: { text?: string; settings?: object; status?: number; key?: { name: string; der: Buffer } | null } = {}) {
  const requested: string[] = [];
  const transport: ConnectTransport = {
    texts: async (name) => (name === '_domainconnect.example.com' ? [text] : []),
    async get(url) {
      requested.push(url.href);
      return { status, text: JSON.stringify(settings) };
    },
  };
  return { connect: new DomainConnect({ providerId: 'moorage.example', key }, transport), requested };
}

describe('Domain Connect', () => {
  it('discovers the provider of a zone and builds the link', async () => {
    const { connect, requested } = opened();
    const provider = await connect.discover('example.com', signal);
    if (provider === null) throw new Error('not discovered');
    expect(provider.name).toBe('DNS Example');
    expect(await connect.supports(provider, 'pangolin', signal)).toBe(true);
    expect(requested).toEqual([
      'https://connect.dns.example/api/v2/example.com/settings',
      'https://api.dns.example/v2/domainTemplates/providers/moorage.example/services/pangolin',
    ]);
    expect(connect.link(provider, REQUEST, 'example.com')).toBe(
      'https://connect.dns.example/sync/v2/domainTemplates/providers/moorage.example/services/pangolin/apply' +
        '?domain=example.com&host=shop&groupId=admin-a%2Cwildcard-a&IP=203.0.113.7',
    );
    expect(connect.link(provider, REQUEST, 'other.example')).toBeNull();
  });

  it('signs the query exactly as it is sent', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'der' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const { connect } = opened({ key: { name: '_dck1', der: privateKey } });
    const provider = { name: 'x', syncUrl: 'https://connect.dns.example', apiUrl: 'https://api.dns.example' };
    const [, signed = '', sig = '', key = ''] =
      /\?(.*)&sig=([^&]+)&key=([^&]+)$/.exec(connect.link(provider, REQUEST, 'example.com') ?? '') ?? [];
    expect(key).toBe('_dck1');
    const signature = Buffer.from(decodeURIComponent(sig), 'base64');
    expect(verify('RSA-SHA256', Buffer.from(signed), createPublicKey(publicKey), signature)).toBe(true);
  });

  it('does not offer a provider without our template', async () => {
    const { connect } = opened({ status: 404 });
    const provider = { name: 'x', syncUrl: 'https://connect.dns.example', apiUrl: 'https://api.dns.example' };
    expect(await connect.supports(provider, 'pangolin', signal)).toBe(false);
    expect(await connect.discover('example.com', signal)).toBeNull();
  });

  it.each([
    ['an IP address', { text: '127.0.0.1' }],
    ['a port', { text: 'connect.dns.example:8080' }],
    ['credentials', { text: 'user@connect.dns.example' }],
    ['another scheme', { text: 'http://connect.dns.example' }],
    ['an upward path', { text: 'connect.dns.example/../x y' }],
    ['no synchronous flow', { settings: { ...SETTINGS, urlSyncUX: undefined } }],
    ['a link that is not https', { settings: { ...SETTINGS, urlSyncUX: 'http://connect.dns.example' } }],
    ['a link that runs a script', { settings: { ...SETTINGS, urlSyncUX: 'javascript:alert(1)' } }],
    ['a link with a query', { settings: { ...SETTINGS, urlSyncUX: 'https://connect.dns.example/?x=' } }],
    ['an API at an IP address', { settings: { ...SETTINGS, urlAPI: 'https://169.254.169.254' } }],
    ['no settings', { settings: [] }],
  ])('ignores a zone with %s', async (_, wrong) => {
    expect(await opened(wrong).connect.discover('example.com', signal)).toBeNull();
  });

  it('never connects to an address that is not public', async () => {
    const route = new PublicRoute([], (_host, _options, callback) =>
      callback(null, [{ address: '169.254.169.254', family: 4 }]),
    );
    const { get } = publicConnectTransport([], route);
    await expect(get(new URL('https://connect.dns.example/v2/x/settings'), signal)).rejects.toMatchObject({
      code: 'ENOTPUBLIC',
    });
    await expect(get(new URL('https://127.0.0.1/'), signal)).rejects.toMatchObject({ code: 'ENOTPUBLIC' });
    await expect(get(new URL('http://connect.dns.example/'), signal)).rejects.toMatchObject({ code: 'ENOTPUBLIC' });
  });
});
