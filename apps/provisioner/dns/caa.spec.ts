import { describe, expect, it } from '@jest/globals';
import { type CaaRecord, caaRefusal } from './caa';

const LE = 'letsencrypt.org';
const refusal = (...records: CaaRecord[]): string | null =>
  caaRefusal({ name: 'example.com', records, error: null }, LE)?.code ?? null;
const issue = (value: string, flags = 0): CaaRecord => ({ flags, tag: 'issue', value });

describe('CAA records', () => {
  it.each<[string, CaaRecord[]]>([
    ['no record', []],
    ['the authority', [issue(LE)]],
    ['the authority in capitals, critical', [issue('LetsEncrypt.org', 128)]],
    ['the authority with an empty parameter', [issue(`${LE};`)]],
    ['the authority beside an empty issuer', [issue(';'), issue(LE)]],
    ['our method', [issue(`${LE}; validationmethods=http-01`)]],
    ['our method among others', [issue(` ${LE} ;  validationmethods = tls-alpn-01,http-01 `)]],
    ['another method, and a record without one', [issue(`${LE}; validationmethods=dns-01`), issue(LE)]],
    ['an unknown parameter', [issue(`${LE}; policy=ev`)]],
    ['only a reporting address', [{ flags: 128, tag: 'iodef', value: 'mailto:jane@example.com' }]],
    ['only wildcards', [{ flags: 0, tag: 'issuewild', value: ';' }]],
    ['only email certificates, critical', [{ flags: 128, tag: 'issuemail', value: ';' }]],
    ['an unknown property that is not critical', [{ flags: 0, tag: 'tbs', value: 'unknown' }]],
  ])('%s: allowed', (_, records) => expect(refusal(...records)).toBeNull());

  it.each<[string, string, CaaRecord[]]>([
    ['another authority', 'dns.caa_forbids', [issue('pki.goog')]],
    ['no authority', 'dns.caa_forbids', [issue(';')]],
    ['an empty issuer', 'dns.caa_forbids', [issue('')]],
    ['a name below the authority', 'dns.caa_forbids', [issue(`sub.${LE}`)]],
    ['a malformed parameter', 'dns.caa_forbids', [issue(`${LE}; validationmethods`)]],
    ['another method', 'dns.caa_method', [issue(`${LE}; validationmethods=dns-01`)]],
    // Our routers do not offer this method.
    ['another method per connection', 'dns.caa_method', [issue(`${LE}; validationmethods=tls-alpn-01`)]],
    ['a method twice', 'dns.caa_method', [issue(`${LE}; validationmethods=http-01; validationmethods=http-01`)]],
    [
      'another account',
      'dns.caa_account',
      [issue(`${LE}; accounturi=https://acme-v02.api.letsencrypt.org/acme/acct/1`)],
    ],
    ['an unknown critical property', 'dns.caa_critical', [issue(LE), { flags: 128, tag: 'tbs', value: 'unknown' }]],
    [
      'an unknown property with the other flag',
      'dns.caa_critical',
      [issue(LE), { flags: 1, tag: 'tbs', value: 'unknown' }],
    ],
  ])('%s: refused', (_, code, records) => expect(refusal(...records)).toBe(code));

  it('do not count as absent after an error', () => {
    expect(caaRefusal({ name: 'example.com', records: [], error: 'SERVFAIL' }, LE)?.code).toBe('dns.caa_unanswered');
    expect(caaRefusal({ name: 'example.com', records: [], error: 'UNREADABLE' }, LE)?.code).toBe('dns.caa_unreadable');
  });
});
