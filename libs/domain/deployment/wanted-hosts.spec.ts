import { describe, expect, it } from '@jest/globals';
import { envValuesOf, wantedNames } from './wanted-hosts';

const FACTS = {
  defaults: { ADMIN_SUBDOMAIN: 'admin' },
  dns: [
    { host: '{ADMIN_SUBDOMAIN}', required: true },
    { host: '{TRAEFIK_SUBDOMAIN}', when: 'TRAEFIK_SUBDOMAIN', required: true },
    { host: '*', required: false },
    { host: '{ROOT}', required: false },
  ],
};
const hosts = (values: Record<string, string>) => wantedNames(FACTS, values).map(({ name, host }) => [name, host]);

describe('host names of a deployment', () => {
  it('are those of the values, with defaults for empty values', () => {
    expect(hosts({ DOMAIN: 'example.com', ADMIN_SUBDOMAIN: '' })).toEqual([
      ['admin', 'admin.example.com'],
      ['*', '*.example.com'],
      ['@', 'example.com'],
    ]);
    expect(hosts({ DOMAIN: 'a.example.com', ADMIN_SUBDOMAIN: 'door', TRAEFIK_SUBDOMAIN: 'edge' }).slice(0, 2)).toEqual([
      ['door', 'door.a.example.com'],
      ['edge', 'edge.a.example.com'],
    ]);
  });

  it('are empty without a domain', () => {
    expect(hosts({})).toEqual([]);
  });

  it('come from the columns if both columns and config define them', () => {
    expect(
      envValuesOf({
        config: { DOMAIN: 'old.example', EMAIL: 'a@example.com' },
        domain: 'new.example',
        admin_subdomain: 'door',
        static_page_subdomain: null,
      }),
    ).toEqual({ DOMAIN: 'new.example', ADMIN_SUBDOMAIN: 'door', EMAIL: 'a@example.com' });
  });
});
