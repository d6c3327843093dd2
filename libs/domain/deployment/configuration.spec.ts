import { describe, expect, it } from '@jest/globals';
import { parse } from 'tldts';
import { changeableEnv, planConfiguration } from './configuration';
import type { Draft } from './draft';
import type { PackageConfig } from './package-config';

const config: PackageConfig = {
  name: 'shop',
  display_name: 'Shop',
  default_admin_subdomain: 'admin',
  details: [
    {
      name: 'shop',
      required_env: ['DOMAIN', 'EMAIL'],
      optional_env: [
        'ADMIN_SUBDOMAIN',
        'TRAEFIK_SUBDOMAIN',
        'SETUP_TOKEN',
        'CLIENT_ID',
        'CLIENT_SECRET',
        'OPENAI_API_KEY',
      ],
    },
  ],
  dns: [
    { host: '{ADMIN_SUBDOMAIN}', required: true },
    { host: '{TRAEFIK_SUBDOMAIN}', required: true, when: 'TRAEFIK_SUBDOMAIN' },
  ],
  changeable: [
    'DOMAIN',
    'EMAIL',
    'ADMIN_SUBDOMAIN',
    'TRAEFIK_SUBDOMAIN',
    'CLIENT_ID',
    'CLIENT_SECRET',
    'OPENAI_API_KEY',
  ],
};
const current: Draft = {
  package: 'shop',
  server_type: 'new',
  cloud_provider: 'hetzner',
  region: 'fsn1',
  instance_type: 'cpx22',
  support_level: 1,
  vps_ip_address: null,
  user_ssh_key: null,
  domain: 'example.com',
  admin_email: 'jane@example.com',
  admin_subdomain: 'admin',
  oauth_client_id: 'client-1',
  oauth_client_secret: 'secret-1',
};
const names = { allowedZones: ['example.com', 'example'], parseName: parse };
const plan = (input: Parameters<typeof planConfiguration>[1], over: Partial<Draft> = {}) =>
  planConfiguration({ ...current, ...over }, input, { config, names });
const paths = (input: Parameters<typeof planConfiguration>[1], over: Partial<Draft> = {}) =>
  plan(input, over).problems.map(({ path }) => path);

describe('a change of the configuration', () => {
  it('contains only the values that differ, and secrets apart', () => {
    expect(plan({ admin_email: 'quay@example.com', domain: 'example.com', openai_api_key: 'sk-1' })).toEqual({
      before: { EMAIL: 'jane@example.com' },
      after: { EMAIL: 'quay@example.com' },
      secrets: { OPENAI_API_KEY: 'sk-1' },
      problems: [],
    });
  });

  it('removes a value that is empty or null, and returns to the default', () => {
    expect(plan({ oauth_client_id: '', oauth_client_secret: null })).toMatchObject({
      before: { CLIENT_ID: 'client-1' },
      after: { CLIENT_ID: null },
      secrets: { CLIENT_SECRET: null },
      problems: [],
    });
    expect(plan({ admin_subdomain: null }, { admin_subdomain: 'desk' })).toMatchObject({
      before: { ADMIN_SUBDOMAIN: 'desk' },
      after: { ADMIN_SUBDOMAIN: 'admin' },
    });
  });

  it('keeps an administrator name that defaults to a changed value', () => {
    const named: PackageConfig = {
      ...config,
      details: [...config.details, { name: 'admin', required_env: [], optional_env: ['ADMIN_USERNAME'] }],
      defaults: { ADMIN_USERNAME: '{EMAIL}' },
    };
    const changed = (over: Partial<Draft>, input: Parameters<typeof planConfiguration>[1]) =>
      planConfiguration({ ...current, ...over }, input, { config: named, names });
    expect(changed({}, { admin_email: 'quay@example.com' })).toMatchObject({
      before: { EMAIL: 'jane@example.com', ADMIN_USERNAME: null },
      after: { EMAIL: 'quay@example.com', ADMIN_USERNAME: 'jane@example.com' },
      problems: [],
    });
    expect(changed({ admin_username: 'ops@example.com' }, { admin_email: 'quay@example.com' }).after).toEqual({
      EMAIL: 'quay@example.com',
    });
    expect(changed({}, { domain: 'example.org' }).after).toEqual({ DOMAIN: 'example.org' });
  });

  it('refuses values that take effect only at the first start, unless they stay the same', () => {
    const token = 'a'.repeat(32);
    expect(paths({ setup_token: token })).toEqual(['setup_token']);
    expect(paths({ setup_token: token }, { setup_token: token })).toEqual([]);
  });

  it.each([
    ['a missing required value', { admin_email: null }, ['admin_email']],
    ['half of a pair', { oauth_client_id: null }, ['oauth_client_id']],
    ['a name in use', { traefik_subdomain: 'admin' }, ['traefik_subdomain']],
    ['an invalid domain', { domain: 'harbour' }, ['domain']],
  ])('refuses %s', (_, input, expected) => {
    expect(paths(input)).toEqual(expected);
  });

  it('ignores problems that the stored values already have', () => {
    const old = { domain: 'old.internal' };
    expect(paths({ openai_api_key: 'sk-1' }, old)).toEqual([]);
    expect(paths({ domain: 'new.internal' }, old)).toEqual(['domain']);
  });

  it('offers the values of the manifest that the package requests', () => {
    expect(changeableEnv({ ...config, changeable: ['EMAIL', 'MAXMIND_LICENSE_KEY'] })).toEqual(['EMAIL']);
    expect(changeableEnv({ ...config, changeable: [] })).toEqual([]);
  });
});
