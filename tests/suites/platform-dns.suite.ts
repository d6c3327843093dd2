import { beforeEach, describe, expect, it } from '@jest/globals';
import { type PlatformDns, PlatformDnsError } from '@moorage/provisioner/platform-dns/platform-dns';

/** A DNS adapter and the zone behind it. */
export interface PlatformDnsUnderTest {
  readonly dns: PlatformDns;
  /** Domain below which names are set, in lower case. */
  readonly domain: string;
  /** Adds a record of the operator, without our mark. */
  add(record: { name: string; type: 'A' | 'TXT'; value: string }): Promise<void>;
  /** Deletes the addresses of a name directly in the zone. */
  deleteAddresses(name: string): Promise<void>;
  /** Returns `name type value` of every record below the domain, sorted. */
  zone(): Promise<string[]>;
}

/** One suite for all adapters (docs/how-to-add.md). `open` returns an empty zone. */
export function platformDnsSuite(title: string, open: () => Promise<PlatformDnsUnderTest>): void {
  describe(`platform DNS of ${title}`, () => {
    let under: PlatformDnsUnderTest;
    let name: string;
    const { signal } = new AbortController();
    beforeEach(async () => {
      under = await open();
      name = `shop.${under.domain}`;
    });

    const addressesOf = async (of: string): Promise<string[]> =>
      (await under.zone()).filter((line) => line.startsWith(`${of} A`));
    const listed = async () => [...(await under.dns.list(signal))];

    it('sets the name and its wildcard, also a second time', async () => {
      for (let time = 0; time < 2; time++) await under.dns.put({ name, address: '5.9.0.1' }, signal);
      expect(await listed()).toEqual([{ name, addresses: ['5.9.0.1'], wildcard: ['5.9.0.1'] }]);
      expect(await addressesOf(name)).toEqual([`${name} A 5.9.0.1`]);
      expect(await addressesOf(`*.${name}`)).toEqual([`*.${name} A 5.9.0.1`]);
    });

    it('replaces the address, also by one of the other version', async () => {
      await under.dns.put({ name, address: '5.9.0.1' }, signal);
      await under.dns.put({ name, address: '5.9.0.2' }, signal);
      expect(await listed()).toEqual([{ name, addresses: ['5.9.0.2'], wildcard: ['5.9.0.2'] }]);
      await under.dns.put({ name, address: '2a01:4f8::1' }, signal);
      expect(await listed()).toEqual([{ name, addresses: ['2a01:4f8::1'], wildcard: ['2a01:4f8::1'] }]);
    });

    it('shows and repairs records that somebody deleted', async () => {
      await under.dns.put({ name, address: '5.9.0.1' }, signal);
      await under.deleteAddresses(`*.${name}`);
      expect(await listed()).toEqual([{ name, addresses: ['5.9.0.1'], wildcard: [] }]);
      await under.dns.put({ name, address: '5.9.0.1' }, signal);
      expect(await listed()).toEqual([{ name, addresses: ['5.9.0.1'], wildcard: ['5.9.0.1'] }]);
    });

    it('removes the records with their mark, and nothing else', async () => {
      const before = await under.zone();
      const other = `other.${under.domain}`;
      await under.dns.put({ name, address: '5.9.0.1' }, signal);
      await under.dns.put({ name: other, address: '5.9.0.9' }, signal);
      await under.dns.remove(name, signal);
      await under.dns.remove(name, signal);
      expect(await listed()).toEqual([{ name: other, addresses: ['5.9.0.9'], wildcard: ['5.9.0.9'] }]);
      await under.dns.remove(other, signal);
      expect(await under.zone()).toEqual(before);
    });

    it('never lists, changes or removes records without our mark', async () => {
      await under.add({ name, type: 'A', value: '203.0.113.7' });
      await under.add({ name, type: 'TXT', value: 'moorage-installation=another' });
      const before = await under.zone();
      await expect(under.dns.put({ name, address: '5.9.0.1' }, signal)).rejects.toMatchObject({ kind: 'conflict' });
      await under.dns.remove(name, signal);
      expect([await listed(), await under.zone()]).toEqual([[], before]);
    });

    it('can be aborted', async () => {
      const call = under.dns.list(AbortSignal.abort());
      await expect(call).rejects.toThrow();
      expect(await listed()).toEqual([]);
    });
  });
}

/** Asserts the kind of a failure. */
export async function failsWith(call: Promise<unknown>, kind: PlatformDnsError['kind']): Promise<void> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PlatformDnsError);
  expect((error as PlatformDnsError).kind).toBe(kind);
}
