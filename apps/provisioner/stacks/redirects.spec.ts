import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readPackages } from './packages';
import { redirectRules } from './redirects';
import { renderRedirects } from './render';
import type { StackPackages } from './types';

const ENTRY = { web: 'web', secure: 'websecure', resolver: 'letsencrypt' };
const VALUES = { DOMAIN: 'example.com', EMAIL: 'jane@example.com' };

let packages: StackPackages;
beforeAll(async () => {
  packages = await readPackages('infra/packages');
});

describe('redirects of further domains', () => {
  it('keep path and query, and request a certificate for each host on its own', () => {
    const rules = redirectRules(ENTRY, { target: 'admin.example.com', hosts: ['www.example.com', 'example.net'] });
    expect(rules).toEqual({
      http: {
        middlewares: {
          'further-domain': {
            redirectRegex: {
              regex: '^https?://[^/]+/(.*)$',
              replacement: 'https://admin.example.com/${1}',
              permanent: true,
            },
          },
        },
        routers: {
          'further-domain-1-web': router('www.example.com', { entryPoints: ['web'] }),
          'further-domain-1': router('www.example.com', SECURE),
          'further-domain-2-web': router('example.net', { entryPoints: ['web'] }),
          'further-domain-2': router('example.net', SECURE),
        },
      },
    });
    expect(
      'https://www.example.com:443/a/b?c=1'.replace(/^https?:\/\/[^/]+\/(.*)$/, 'https://admin.example.com/$1'),
    ).toBe('https://admin.example.com/a/b?c=1');
  });

  it('leave no empty section, which Traefik would reject', () => {
    expect(redirectRules(ENTRY, { target: 'admin.example.com', hosts: [] })).toEqual({});
  });

  it.each(['a`) || Host(`b.com', 'a b.com', 'example', ''])('never contain %j', (host) => {
    expect(() => redirectRules(ENTRY, { target: 'admin.example.com', hosts: [host] })).toThrow('is not a host name');
  });

  it('are in a file that the router of each package watches', () => {
    const names = packages.all().filter(({ manifest }) => manifest.redirects !== undefined);
    expect([...new Set(names.map(({ manifest }) => manifest.name))].sort()).toEqual([
      'coolify',
      'coolify-plus',
      'pangolin',
      'pangolin-ai',
      'pangolin-plus',
    ]);
    for (const pack of names) {
      const [file] = renderRedirects(pack, VALUES, { ref: 'r', redirects: ['www.example.com', 'admin.example.com'] });
      expect(file?.path).toMatch(/\/(config\/traefik\/rules|proxy\/dynamic)\/further-domains\.yml$/);
      const { http } = parse(file?.content ?? '') as { http: { routers: Record<string, { entryPoints: string[] }> } };
      const [staticFile = ''] = [...pack.templates].flatMap(([name, text]) =>
        name === 'traefik.yml' || name === 'traefik_config.yml' ? [text] : [],
      );
      const { entryPoints } = parse(staticFile) as { entryPoints: object };
      const used = Object.values(http.routers).flatMap((one) => one.entryPoints);
      expect(Object.keys(entryPoints)).toEqual(expect.arrayContaining(used));
      // A name that the package itself uses gets no redirect.
      expect(file?.content.includes('Host(`admin.example.com`)')).toBe(pack.manifest.base === 'coolify');
    }
  });
});

const SECURE = { entryPoints: ['websecure'], tls: { certResolver: 'letsencrypt' } };
const router = (host: string, more: object) => ({
  rule: `Host(\`${host}\`)`,
  middlewares: ['further-domain'],
  service: 'noop@internal',
  ...more,
});
