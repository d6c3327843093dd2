import { describe, expect, it } from '@jest/globals';
import { hasOpenLinks, openLink } from './access-link';
import { isFixedUser, signIns } from './sign-in';

const title = (en: string) => ({ en, de: `${en} auf Deutsch` });
const FACTS = {
  defaults: { ADMIN_SUBDOMAIN: 'admin', ADMIN_USERNAME: '{EMAIL}' },
  sign_in: [
    {
      title: title('Dashboard'),
      host: '{ADMIN_SUBDOMAIN}',
      path: '/login',
      unless: 'CLIENT_ID',
      user: '{ADMIN_USERNAME}',
      password: 'ADMIN_PASSWORD',
      token: 'SETUP_TOKEN',
    },
    { title: title('Dashboard, with Google'), host: '{ADMIN_SUBDOMAIN}', path: '/', when: 'CLIENT_ID' },
    {
      title: title('Router'),
      host: '{TRAEFIK_SUBDOMAIN}',
      path: '/dashboard/',
      when: 'TRAEFIK_SUBDOMAIN',
      user: 'admin',
      password: 'DASHBOARD_PASSWORD',
    },
    { title: title('Logs'), host: 'logs', path: '/' },
  ],
};
const VALUES = { DOMAIN: 'example.com', EMAIL: 'jane@example.com' };
const NO_SERVER = { ip: null };
const shown = (values: Record<string, string>, ip: string | null = null) =>
  signIns(FACTS, values, { ip }).map(({ row, address, user, password, token }) => [
    row.title.en,
    address,
    user,
    password,
    token,
  ]);

describe('sign-in details of a customer', () => {
  it('follow the values and the defaults in manifest order', () => {
    expect(shown(VALUES)).toEqual([
      ['Dashboard', 'https://admin.example.com/login', 'jane@example.com', 'ADMIN_PASSWORD', 'SETUP_TOKEN'],
      ['Logs', 'https://logs.example.com/', null, null, null],
    ]);
    expect(shown({ ...VALUES, ADMIN_SUBDOMAIN: 'door', ADMIN_USERNAME: 'root@example.com' })[0]).toEqual([
      'Dashboard',
      'https://door.example.com/login',
      'root@example.com',
      'ADMIN_PASSWORD',
      'SETUP_TOKEN',
    ]);
  });

  it('include a row only with, or only without, the value it refers to', () => {
    expect(shown({ ...VALUES, CLIENT_ID: 'abc', TRAEFIK_SUBDOMAIN: 'edge' })).toEqual([
      ['Dashboard, with Google', 'https://admin.example.com/', null, null, null],
      ['Router', 'https://edge.example.com/dashboard/', 'admin', 'DASHBOARD_PASSWORD', null],
      ['Logs', 'https://logs.example.com/', null, null, null],
    ]);
    expect(shown({ ...VALUES, CLIENT_ID: '', TRAEFIK_SUBDOMAIN: '' }).map(([name]) => name)).toEqual([
      'Dashboard',
      'Logs',
    ]);
  });

  it('point to the server itself without a domain, and are empty before it exists', () => {
    const facts = { defaults: {}, sign_in: [{ title: title('Page'), host: 'www', path: '/start' }] };
    const addresses = (ip: string | null) => signIns(facts, {}, { ip }).map(({ address }) => address);
    expect(addresses('203.0.113.7')).toEqual(['http://203.0.113.7/start']);
    expect(addresses('2001:db8::7')).toEqual(['http://[2001:db8::7]/start']);
    expect(addresses(null)).toEqual([]);
  });

  it('use the domain itself for a name without a value, and no user if the customer has none', () => {
    const facts = { ...FACTS, defaults: {}, sign_in: FACTS.sign_in.slice(0, 1) };
    expect(signIns(facts, { DOMAIN: 'example.com' }, NO_SERVER)).toMatchObject([
      { address: 'https://example.com/login', user: null },
    ]);
  });

  it('distinguish a fixed username from a username the customer chose', () => {
    expect(FACTS.sign_in.map(isFixedUser)).toEqual([false, false, true, false]);
  });
});

describe('target of Open for a simulated server', () => {
  const LOCAL = 'http://localhost:3000';

  it.each([
    ['https://admin.ada.sandbox.localhost', LOCAL, 'http://admin.ada.sandbox.localhost:3000/'],
    ['https://Edge.Ada.Sandbox.localhost/dashboard/', LOCAL, 'http://edge.ada.sandbox.localhost:3000/dashboard/'],
    ['https://ada.sandbox.localhost', 'http://127.0.0.1:8080', 'http://ada.sandbox.localhost:8080/'],
    ['https://ada.sandbox.localhost', 'http://[::1]', 'http://ada.sandbox.localhost/'],
    ['https://admin.example.com', LOCAL, null],
    ['https://sandbox.localhost', LOCAL, null],
    ['https://evil-sandbox.localhost', LOCAL, null],
    ['https://ada.sandbox.localhost.example.com', LOCAL, null],
    ['https://ada.sandbox.localhost', 'https://moorage.example', null],
    ['https://ada.sandbox.localhost', 'http://localhost.example:3000', null],
    ['https://ada.sandbox.localhost', 'https://localhost:8443', 'https://ada.sandbox.localhost:8443/'],
    ['http://203.0.113.7', LOCAL, null],
    [null, LOCAL, null],
  ])('%s at %s: %s', (address, publicUrl, link) => {
    expect(openLink(address, publicUrl)).toBe(link);
  });

  it("exists only if the installation runs on the visitor's own machine", () => {
    expect([LOCAL, 'http://127.0.0.1:1', 'https://moorage.example', 'http://10.0.0.7:3000'].map(hasOpenLinks)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
