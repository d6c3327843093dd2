import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Cidr, parseAddress, parseCidr } from './address';
import { ADDRESS_MALFORMED, ADDRESS_NOT_PUBLIC, guardAddress } from './address-guard';

const cidr = (text: string): Cidr => {
  const parsed = parseCidr(text);
  if (parsed === null) throw new Error(text);
  return parsed;
};

describe('public address in canonical form', () => {
  it.each([
    ['8.8.8.8', '8.8.8.8'],
    ['1.1.1.1', '1.1.1.1'],
    ['5.9.0.1', '5.9.0.1'],
    ['9.255.255.255', '9.255.255.255'],
    ['11.0.0.0', '11.0.0.0'],
    ['100.63.255.255', '100.63.255.255'],
    ['100.128.0.0', '100.128.0.0'],
    ['126.255.255.255', '126.255.255.255'],
    ['128.0.0.1', '128.0.0.1'],
    ['168.63.129.17', '168.63.129.17'],
    ['169.253.255.255', '169.253.255.255'],
    ['169.255.0.0', '169.255.0.0'],
    ['172.15.255.255', '172.15.255.255'],
    ['172.32.0.0', '172.32.0.0'],
    ['192.167.255.255', '192.167.255.255'],
    ['192.169.0.0', '192.169.0.0'],
    ['198.17.255.255', '198.17.255.255'],
    ['198.20.0.0', '198.20.0.0'],
    ['223.255.255.255', '223.255.255.255'],
    ['2a01:4f8:c0c:1234::1', '2a01:4f8:c0c:1234::1'],
    ['2A01:04F8:0C0C:1234:0000:0000:0000:0001', '2a01:4f8:c0c:1234::1'],
    ['2600:1f18:0:0:1:0:0:1', '2600:1f18::1:0:0:1'],
    ['2001:200::1', '2001:200::1'],
    ['2001:4860:4860::8888', '2001:4860:4860::8888'],
    ['2001:db9::1', '2001:db9::1'],
  ])('%s is accepted as %s', (text, address) => {
    expect(guardAddress(text)).toEqual({ ok: true, address });
  });
});

describe('address of a private, local or special network', () => {
  it.each([
    '0.0.0.0',
    '0.255.255.255',
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.0.1',
    '169.254.169.254',
    '169.254.170.2',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.168.0.1',
    '192.168.255.255',
    '192.175.48.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:7f00:1',
    '::ffff:0:127.0.0.1',
    '::127.0.0.1',
    '::7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '100::1',
    '1fff::1',
    '2001::1',
    '2001:0:7f00:1::',
    '2001:10::1',
    '2001:1ff::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '2620:4f:8000::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456:789a::1',
    'fdff:ffff::1',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'ff02::1',
    'ff0e::1',
  ])('%s is rejected', (text) => {
    expect(guardAddress(text)).toEqual({ ok: false, message: ADDRESS_NOT_PUBLIC });
  });
});

describe('address in any other form', () => {
  it.each([
    '',
    ' ',
    '8',
    '8.8',
    '8.8.8',
    '8.8.8.8.',
    '.8.8.8.8',
    '8..8.8',
    '8.8.8.8.8',
    '8.8.8.256',
    '8.8.8.-1',
    '8.8.8.+1',
    '8.8.8.1e1',
    '8.8.8.8 ',
    ' 8.8.8.8',
    '8.8.8.8\n',
    '8.8.8.8\u0000',
    '8.8.8.8\t',
    '08.8.8.8',
    '8.8.8.08',
    '8.8.8.008',
    '010.0.0.1',
    '0177.0.0.1',
    '0177.0.0.01',
    '00127.0.0.1',
    '0x7f.0.0.1',
    '0x7f.0x0.0x0.0x1',
    '0x7f000001',
    '0X7F000001',
    '2130706433',
    '017700000001',
    '127.1',
    '127.0.1',
    '127.0x1',
    '0',
    '0x0',
    '3232235521',
    '4294967297',
    '-1',
    '１２７.0.0.1',
    '８.８.８.８',
    '127。0。0。1',
    '127．0．0．1',
    '①②⑦.0.0.1',
    '٨.٨.٨.٨',
    '8.8.8.8:22',
    '8.8.8.8/32',
    '8.8.8.8/0',
    '8.8.8.8%eth0',
    '8.8.8.8#',
    '8.8.8.8?',
    '8.8.8.8@127.0.0.1',
    'root@8.8.8.8',
    '8.8.8.8,127.0.0.1',
    '8.8.8.8 127.0.0.1',
    '8.8.8.8;reboot',
    '$(reboot)',
    '`reboot`',
    '8.8.8.8\n  privileged: true',
    '{"a":1}',
    'localhost',
    'example.com',
    '127.0.0.1.nip.io',
    'http://8.8.8.8',
    '//8.8.8.8',
    '[2a01:4f8::1]',
    '[2a01:4f8::1]:22',
    '2a01:4f8::1%eth0',
    'fe80::1%25lo',
    '2a01:4f8::1/64',
    '2a01::4f8::1',
    ':::1',
    '2a01:4f8:::1',
    ':2a01:4f8::1',
    '2a01:4f8::1:',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4::5:6:7:8',
    '2a01:4f8::g',
    '2a01:004f8::1',
    '2a01:4f8::0x1',
    '::ffff:0177.0.0.1',
    '::ffff:127.1',
    '::ffff:2130706433',
    '8.8.8.8::',
    '::8.8.8.8:1',
    'undefined',
    'null',
    '9'.repeat(100),
  ])('%j is rejected', (text) => {
    expect(guardAddress(text)).toEqual({ ok: false, message: ADDRESS_MALFORMED });
  });
});

describe('lab that allows more ranges', () => {
  it('accepts an allowed address in canonical form, and nothing else', () => {
    const allowed = [cidr('127.0.0.0/8'), cidr('fd00::/8')];
    expect(guardAddress('127.0.0.2', allowed)).toEqual({ ok: true, address: '127.0.0.2' });
    expect(guardAddress('fd00::0:1', allowed)).toEqual({ ok: true, address: 'fd00::1' });
    expect(guardAddress('0x7f.0.0.1', allowed).ok).toBe(false);
    expect(guardAddress('::ffff:127.0.0.1', allowed).ok).toBe(false);
    expect(guardAddress('169.254.169.254', allowed).ok).toBe(false);
  });

  it.each(['127.0.0.0', '127.0.0.0/33', '127.0.0.0/8/8', '/8', 'a/8', '::/129', '1.2.3.4/-1'])(
    '%j is not a range',
    (text) => {
      expect(parseCidr(text)).toBeNull();
    },
  );
});

describe('address properties', () => {
  it('property: an address has one form, and parsing that form again changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const once = parseAddress(text);
        if (once === null) return fc.pre(false);
        expect(parseAddress(once.text)).toEqual(once);
      }),
    );
  });

  it('property: every IPv6 address is parsed to the value of its groups', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
        const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
        const parsed = parseAddress(groups.map((group) => group.toString(16)).join(':'));
        expect(parsed?.value).toBe(value);
        expect(parseAddress(parsed?.text ?? '')?.value).toBe(value);
      }),
    );
  });

  it('property: an accepted value has only characters of an address', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const answer = guardAddress(text);
        if (answer.ok) expect(answer.address).toMatch(/^[0-9a-f.:]+$/);
      }),
    );
  });
});
