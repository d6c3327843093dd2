import { describe, expect, it } from '@jest/globals';
import { withoutPlugins } from './traefik-plugins';

describe('configuration without router plugins', () => {
  it('names no plugin in a router or an entry point, and keeps everything else', () => {
    const configuration = {
      ping: {},
      experimental: { plugins: { ban: { moduleName: 'example.com/ban', version: 'v1.0.0' } } },
      entryPoints: {
        web: { address: ':80' },
        websecure: { address: ':443', http: { middlewares: ['ban@file', 'login@file'], tls: {} } },
      },
    };
    const rules = {
      http: {
        middlewares: { ban: { plugin: { ban: { enabled: true } } }, login: { basicAuth: { users: [] } } },
        routers: { page: { rule: 'Host(`a`)', middlewares: ['ban', 'login'] }, open: { middlewares: ['ban'] } },
      },
    };
    const onlyPlugins = { http: { middlewares: { tarpit: { plugin: { tarpit: {} } } } } };
    expect(withoutPlugins([configuration, rules, onlyPlugins, null])).toEqual([
      {
        ping: {},
        entryPoints: {
          web: { address: ':80' },
          websecure: { address: ':443', http: { middlewares: ['login@file'], tls: {} } },
        },
      },
      {
        http: {
          middlewares: { login: { basicAuth: { users: [] } } },
          routers: { page: { rule: 'Host(`a`)', middlewares: ['login'] }, open: {} },
        },
      },
      {},
      null,
    ]);
  });
});
