import { describe, expect, it } from '@jest/globals';
import { redisAddress, redisOptions, redisOutage } from './redis';

describe('Redis server', () => {
  it.each([
    ['redis://redis', { host: 'redis', port: 6379, db: 0 }],
    ['redis://[::1]:7000/3', { host: '::1', port: 7000, db: 3 }],
    ['redis://moorage@redis:7000', { host: 'redis', port: 7000, username: 'moorage' }],
    ['redis://:a%40b@redis', { host: 'redis', password: 'a@b' }],
    ['rediss://redis.example', { host: 'redis.example', tls: { servername: 'redis.example' } }],
    ['rediss://10.0.0.7', { host: '10.0.0.7', tls: {} }],
  ])('is opened according to its URL: %s', (url, expected) => {
    expect(redisOptions({ url })).toMatchObject(expected);
    expect('tls' in redisOptions({ url })).toBe(url.startsWith('rediss:'));
  });

  it('receives the password and the authority configured beside the URL', () => {
    const options = redisOptions({ url: 'rediss://u:old@redis', password: 'a%40b', ca: 'PEM' });
    expect(options).toMatchObject({ username: 'u', password: 'a%40b', tls: { ca: 'PEM' } });
  });

  it('has an address without user and password', () => {
    expect(redisAddress({ url: 'redis://moorage:secret@redis/2' })).toBe('redis:6379');
  });

  const reply = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' });
  const system = (code: string): Error => Object.assign(new Error(`connect ${code} 10.0.0.7:6379`), { code });

  it.each([
    [system('ECONNREFUSED'), 'server', 'connection refused by redis:6379'],
    [system('ENOTFOUND'), 'server', 'the name of redis:6379 could not be resolved'],
    [system('ETIMEDOUT'), 'server', 'no connection to redis:6379'],
    [null, 'server', 'no connection to redis:6379'],
    [reply('NOAUTH Authentication required.'), 'login', 'redis:6379 rejected the user or the password'],
    [
      reply('WRONGPASS invalid username-password pair or user is disabled.'),
      'login',
      'redis:6379 rejected the user or the password',
    ],
    [
      reply("NOPERM User bob has no permissions to run the 'info' command"),
      'login',
      'redis:6379 denies the user the permissions that Bull needs',
    ],
    [
      reply('ERR ACL failure in script: No permissions to access a channel'),
      'login',
      'redis:6379 denies the user the permissions that Bull needs',
    ],
    [reply("OOM command not allowed when used memory > 'maxmemory'."), 'server', 'redis:6379 rejects commands (OOM)'],
    [
      system('DEPTH_ZERO_SELF_SIGNED_CERT'),
      'certificate',
      'the certificate of redis:6379 is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
    [
      system('ERR_TLS_CERT_ALTNAME_INVALID'),
      'certificate',
      'the certificate of redis:6379 is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)',
    ],
    [system('CERT_HAS_EXPIRED'), 'certificate', 'the certificate of redis:6379 is not trusted (CERT_HAS_EXPIRED)'],
  ])('reports problems that operators understand: %s', (error, kind, detail) => {
    expect(redisOutage(error, 'redis:6379')).toEqual({ with: kind, detail });
  });
});
