import { describe, expect, it } from '@jest/globals';
import { asStored, CERTIFICATE_MESSAGES, type CertificateVerdict, instant, iso, MINUTE_MS } from '@moorage/domain';
import { type CheckedHost, checkedAgain, checkedCertificatesOf } from './certificate-checks.service';

const NOW = instant('2026-12-01T12:00:00Z');
const EXPIRES = instant('2027-03-01T12:00:00Z');

const checked = (host: string, verdict: CertificateVerdict, address = '198.18.0.1'): CheckedHost => ({
  wanted: { host, required: true, tls: true, probe: null },
  address,
  result: {
    verdict,
    reason: verdict === 'good' ? null : asStored(`${host} is ${verdict}.`),
    issuer: verdict === 'good' ? "O=Let's Encrypt" : null,
    names: [host],
    expires_at: verdict === 'good' ? EXPIRES : null,
  },
});
const REFUSED = 'domains [a.test]: acme: error: 403 :: urn:ietf:params:acme:error:caa :: CAA record prevents issuance';

describe('stored certificate check', () => {
  it('has one result for each host, with the message of the authority if it was rejected', () => {
    const certificates = checkedCertificatesOf(
      [checked('a.test', 'not_issued'), checked('www.a.test', 'good')],
      [REFUSED],
      NOW,
    );
    expect(certificates).toEqual([
      {
        host: 'a.test',
        address: '198.18.0.1',
        verdict: 'not_issued',
        reason: CERTIFICATE_MESSAGES.refused_caa({ host: 'a.test' }),
        refusal: { problem: 'caa', words: 'caa: CAA record prevents issuance' },
        issuer: null,
        expires_at: null,
        checked_at: iso(NOW),
      },
      {
        host: 'www.a.test',
        address: '198.18.0.1',
        verdict: 'good',
        reason: null,
        refusal: null,
        issuer: "O=Let's Encrypt",
        expires_at: iso(EXPIRES),
        checked_at: iso(NOW),
      },
    ]);
  });

  it('ignores an old log line once the certificate is valid', () => {
    expect(checkedCertificatesOf([checked('a.test', 'good')], [REFUSED], NOW)[0]).toMatchObject({
      reason: null,
      refusal: null,
    });
  });

  it('keeps the rejection without the log as long as the host shows the same state', () => {
    const before = checkedCertificatesOf([checked('a.test', 'not_issued')], [REFUSED], NOW);
    const again = (verdict: CertificateVerdict, address?: string) =>
      checkedAgain([checked('a.test', verdict, address)], before, NOW + MINUTE_MS)[0];
    expect(again('not_issued')).toEqual({ ...before[0], checked_at: iso(NOW + MINUTE_MS) });
    expect(again('good')).toMatchObject({ verdict: 'good', refusal: null });
    expect(again('unreachable')).toMatchObject({ refusal: null, reason: asStored('a.test is unreachable.') });
    expect(again('not_issued', '198.18.0.2')).toMatchObject({ refusal: null });
  });
});
