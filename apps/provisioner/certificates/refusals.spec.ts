import { describe, expect, it } from '@jest/globals';
import { refusalMessage, refusalsOf } from './refusals';

const line = (host: string, problem: string, words: string) =>
  `unable to generate a certificate for the domains [${host}]: error: one or more domains had a problem: [${host}] invalid authorization: acme: error: 400 :: urn:ietf:params:acme:error:${problem} :: ${words}`;

const HOSTS = ['admin.a.test', 'www.a.test', 'a.test'];

describe('rejections in the router log', () => {
  it('apply only to the host they name', () => {
    const found = refusalsOf(HOSTS, [line('admin.a.test', 'connection', 'Timeout during connect')]);
    expect([...found]).toEqual([
      ['admin.a.test', { problem: 'connection', words: 'connection: Timeout during connect' }],
    ]);
  });

  it('are taken from the newest line of each host', () => {
    const found = refusalsOf(HOSTS, [
      line('www.a.test', 'dns', 'no such name'),
      line('www.a.test', 'caa', 'CAA record prevents issuance'),
      line('a.test', 'unauthorized', 'Invalid response'),
    ]);
    expect(found.get('www.a.test')?.problem).toBe('caa');
    expect(found.get('a.test')?.problem).toBe('unauthorized');
    expect(found.has('admin.a.test')).toBe(false);
  });

  it('apply to every host without its own line if they name none', () => {
    const found = refusalsOf(HOSTS, [
      line('www.a.test', 'caa', 'CAA record prevents issuance'),
      'cannot get ACME client: acme: error: 429 :: urn:ietf:params:acme:error:rateLimited :: too many registrations',
    ]);
    expect(HOSTS.map((host) => found.get(host)?.problem)).toEqual(['rateLimited', 'caa', 'rateLimited']);
  });

  it('may have a problem without a type', () => {
    expect(refusalsOf(['a.test'], ['cannot reach the authority']).get('a.test')).toEqual({
      problem: 'other',
      words: 'cannot reach the authority',
    });
  });

  it('are empty for an empty log', () => {
    expect(refusalsOf(HOSTS, []).size).toBe(0);
  });
});

it('turns a rejection into a sentence that names the host', () => {
  expect(refusalMessage('a.test', { problem: 'caa', words: '' }).detail).toBe(
    'A CAA record does not allow the certificate authority to issue a certificate for a.test. Change that record, or remove it.',
  );
});
