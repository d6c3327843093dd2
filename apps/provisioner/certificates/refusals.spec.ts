import { describe, expect, it } from '@jest/globals';
import { refusalMessage, refusalsOf } from './refusals';

const line = (host: string, problem: string, words: string) =>
  `unable to generate a certificate for the domains [${host}]: error: one or more domains had a problem: [${host}] invalid authorization: acme: error: 400 :: urn:ietf:params:acme:error:${problem} :: ${words}`;

const HOSTS = ['admin.a.test', 'www.a.test', 'a.test'];

describe('what a router’s log says about each host', () => {
  it('counts for the host that it names and no other', () => {
    const found = refusalsOf(HOSTS, [line('admin.a.test', 'connection', 'Timeout during connect')]);
    expect([...found]).toEqual([
      ['admin.a.test', { problem: 'connection', words: 'connection: Timeout during connect' }],
    ]);
  });

  it('is the newest line of each', () => {
    const found = refusalsOf(HOSTS, [
      line('www.a.test', 'dns', 'no such name'),
      line('www.a.test', 'caa', 'CAA record prevents issuance'),
      line('a.test', 'unauthorized', 'Invalid response'),
    ]);
    expect(found.get('www.a.test')?.problem).toBe('caa');
    expect(found.get('a.test')?.problem).toBe('unauthorized');
    expect(found.has('admin.a.test')).toBe(false);
  });

  it('counts for every host without a line of its own where it names none', () => {
    const found = refusalsOf(HOSTS, [
      line('www.a.test', 'caa', 'CAA record prevents issuance'),
      'cannot get ACME client: acme: error: 429 :: urn:ietf:params:acme:error:rateLimited :: too many registrations',
    ]);
    expect(HOSTS.map((host) => found.get(host)?.problem)).toEqual(['rateLimited', 'caa', 'rateLimited']);
  });

  it('may be a problem without a type', () => {
    expect(refusalsOf(['a.test'], ['cannot reach the authority']).get('a.test')).toEqual({
      problem: 'other',
      words: 'cannot reach the authority',
    });
  });

  it('is nothing where nothing was logged', () => {
    expect(refusalsOf(HOSTS, []).size).toBe(0);
  });
});

it('a refusal is a sentence that names the host', () => {
  expect(refusalMessage('a.test', { problem: 'caa', words: '' }).detail).toBe(
    'A CAA record does not allow the certificate authority to issue a certificate for a.test. Change that record, or remove it.',
  );
});
