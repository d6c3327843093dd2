import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@moorage/server';
import { type ResolverClient, SystemResolverClient } from './dns-resolver-client';
import type { DnsOptions } from './dns-options';
import { ResolverDnsCheck } from './resolver-dns-check.service';
import { evaluate, type Wanted } from './dns-evaluation';
import { dnsServer, type Name } from '@moorage/tests/fakes/dns-server';
import type { DnsCheckResult, ResolverAnswer } from './types';

const OURS = '198.18.0.10';
const HOST = 'admin.example.com';

describe('DNS check with real resolvers', () => {
  const names = new Map<string, Name>();
  let server: Awaited<ReturnType<typeof dnsServer>>;
  beforeAll(async () => void (server = await dnsServer(names)));
  afterAll(() => server.stop());
  beforeEach(() => names.clear());

  const check = (options: Partial<DnsOptions> = {}) =>
    new ResolverDnsCheck(seededRandom(1), {
      resolvers: [server.address],
      authority: 'letsencrypt.org',
      sandbox: null,
      newClient: () => new SystemResolverClient(),
      ...options,
    });
  const runCheck = (
    more: { ipv4?: string | null; ipv6?: string | null; hosts?: [string, boolean][] } = {},
  ): Promise<DnsCheckResult> =>
    check().check({
      hosts: (more.hosts ?? [[HOST, true]]).map(([host, required]) => ({ host, required })),
      ipv4: more.ipv4 === undefined ? OURS : more.ipv4,
      ipv6: more.ipv6 ?? null,
    });

  it.each<[string, Name | undefined, string | null, RegExp | null]>([
    ['accepts the record', { a: [OURS] }, null, null],
    [
      'reports a name that does not exist',
      undefined,
      'none',
      /There is no A record for admin\.example\.com yet\. Add an A record .* 198\.18\.0\.10\./,
    ],
    ['reports a name without an address', {}, 'none', /no A record/],
    [
      'reports another address',
      { a: ['198.18.0.99'] },
      'wrong_address',
      /points to 198\.18\.0\.99, not to your server/,
    ],
    ['reports our address beside another', { a: [OURS, '198.18.0.99'] }, 'several_addresses', /several addresses/],
    [
      'reports an alias of another name',
      { a: ['198.18.0.99'], cname: 'shop.example.net' },
      'cname_elsewhere',
      /alias \(CNAME\) of shop\.example\.net/,
    ],
    ['accepts an alias that ends at our server', { a: [OURS], cname: 'server.example.net' }, null, null],
    [
      'reports a stale AAAA record',
      { a: [OURS], aaaa: ['2a01:4f8::1'] },
      'aaaa_elsewhere',
      /AAAA record \(2a01:4f8::1\)/,
    ],
    ['reports an AAAA record without an A record', { aaaa: ['2a01:4f8::1'] }, 'none', /no A record/],
    ['reports a Cloudflare proxy', { a: ['104.21.4.5', '172.67.1.2'] }, 'proxied', /DNS only/],
    ['reports a failing name server', { rcode: 'SERVFAIL' }, 'no_answer', /SERVFAIL/],
    ['reports CAA of another authority', { a: [OURS], caa: ['pki.goog'] }, 'caa_forbids', /CAA/],
    [
      'accepts CAA that allows our authority among others',
      { a: [OURS], caa: ['pki.goog', 'letsencrypt.org'] },
      null,
      null,
    ],
    ['reports CAA that allows no authority', { a: [OURS], caa: [';'] }, 'caa_forbids', /CAA/],
    [
      'reports CAA with an empty issuer',
      { a: [OURS], caa: [''] },
      'caa_forbids',
      /CAA record of admin\.example\.com has no value/,
    ],
    [
      'reports CAA for another validation method',
      { a: [OURS], caa: ['letsencrypt.org; validationmethods=dns-01'] },
      'caa_forbids',
      /Add http-01 to its validationmethods/,
    ],
    [
      'accepts CAA for our authority',
      { a: [OURS], caa: ['letsencrypt.org; validationmethods=dns-01,http-01'] },
      null,
      null,
    ],
    [
      'reports an unknown critical CAA property',
      { a: [OURS], caa: [{ flags: 128, tag: 'tbs', value: 'unknown' }] },
      'caa_forbids',
      /critical CAA record .* property "tbs"/,
    ],
    [
      'reports a name server that fails for CAA',
      { a: [OURS], fails: ['CAA'] },
      'caa_unanswered',
      /could not be looked up \(SERVFAIL\)/,
    ],
    ['handles the record with a name server that fails for AAAA', { a: [OURS], fails: ['AAAA'] }, null, null],
    [
      'reports another address with a name server that fails for AAAA',
      { a: ['198.18.0.99'], fails: ['AAAA'] },
      'wrong_address',
      /points to/,
    ],
    [
      'handles an AAAA record with a name server that fails for A',
      { aaaa: ['2a01:4f8::1'], fails: ['A'] },
      'no_answer',
      /SERVFAIL/,
    ],
    [
      'reports a dangling alias, beside which no A record can be added',
      { cname: 'shop.example.net' },
      'cname_elsewhere',
      /alias \(CNAME\) of shop\.example\.net, .* Replace it/,
    ],
  ])('%s', async (_, name, problem, reason) => {
    if (name !== undefined) names.set(HOST, name);
    const { all_right, records } = await runCheck();
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ host: HOST, type: 'A', value: OURS, problem, right: problem === null });
    expect(all_right).toBe(problem === null);
    if (reason === null) expect(records[0]?.reason).toBeNull();
    else expect(records[0]?.reason?.detail).toMatch(reason);
  });

  it('returns the answer of every resolver for the console', async () => {
    names.set(HOST, { a: ['198.18.0.99'], aaaa: ['2A01:4F8:0:0:0:0:0:1'] });
    const { records } = await runCheck();
    expect(records[0]?.seen).toEqual([
      { resolver: server.address, kind: 'public', a: ['198.18.0.99'], aaaa: ['2a01:4f8::1'], cname: null, error: null },
    ]);
  });

  it('counts a CAA record of the parent domain', async () => {
    names.set(HOST, { a: [OURS] }).set('example.com', { caa: ['pki.goog'] });
    expect((await runCheck()).records[0]).toMatchObject({
      problem: 'caa_forbids',
      reason: { detail: expect.stringMatching(/^A CAA record of example\.com /) },
    });
  });

  it('does not treat a failed CAA lookup at the parent domain as absence', async () => {
    names.set(HOST, { a: [OURS] }).set('example.com', { fails: ['CAA'] });
    expect((await runCheck()).records[0]?.problem).toBe('caa_unanswered');
  });

  it('leaves a CAA lookup that fails at one resolver to the next', async () => {
    const broken = await dnsServer(new Map<string, Name>([[HOST, { a: [OURS], fails: ['CAA'] }]]));
    names.set(HOST, { a: [OURS], caa: ['letsencrypt.org'] });
    const hosts = [{ host: HOST, required: true }];
    const { all_right } = await check({ resolvers: [broken.address, server.address] }).check({
      hosts,
      ipv4: OURS,
      ipv6: null,
    });
    await broken.stop();
    expect(all_right).toBe(true);
  });

  it('accepts an AAAA record of the server itself', async () => {
    names.set(HOST, { a: [OURS], aaaa: ['2a01:4f8::1'] });
    expect((await runCheck({ ipv6: '2a01:4f8::1' })).all_right).toBe(true);
  });

  it('requires an AAAA record for a server with IPv6 only', async () => {
    names.set(HOST, { aaaa: ['2a01:4f8::1'] });
    const { records, all_right } = await runCheck({ ipv4: null, ipv6: '2a01:4f8::1' });
    expect(all_right).toBe(true);
    expect(records[0]).toMatchObject({ type: 'AAAA', value: '2a01:4f8::1' });
  });

  it('tests a wildcard with a random name, and treats it as optional', async () => {
    names.set(HOST, { a: [OURS] });
    const { all_right, records } = await runCheck({
      hosts: [
        [HOST, true],
        ['*.example.com', false],
      ],
    });
    expect(all_right).toBe(true);
    expect(records[1]).toMatchObject({ host: '*.example.com', right: false, problem: 'none' });
    expect(server.questions.some((question) => /^[a-z0-9]{12}\.example\.com 1$/.test(question))).toBe(true);
  });

  it('sees a change at once because results are not cached between checks', async () => {
    expect((await runCheck()).all_right).toBe(false);
    names.set(HOST, { a: [OURS] });
    expect((await runCheck()).all_right).toBe(true);
    names.set(HOST, { a: ['198.18.0.99'] });
    expect((await runCheck()).all_right).toBe(false);
  });

  it('stops waiting for a resolver that never answers', async () => {
    names.set(HOST, { silent: true }).set('example.com', { silent: true });
    expect((await runCheck()).records[0]?.problem).toBe('no_answer');
  });

  it('throws at once when aborted', async () => {
    names.set(HOST, { silent: true }).set('example.com', { silent: true });
    const giveUp = new AbortController();
    // This check starts earlier and waits for the resolver's timeout.
    const patient = runCheck();
    const work = check().check({ hosts: [{ host: HOST, required: true }], ipv4: OURS, ipv6: null }, giveUp.signal);
    giveUp.abort();
    await expect(Promise.race([patient, work])).rejects.toThrow();
    await patient;
  });

  it('resolves sandbox names with the sandbox only', async () => {
    const before = server.questions.length;
    const sandboxed = check({
      sandbox: async (host) => ({ a: host === 'admin.one.sandbox.localhost' ? [OURS] : [], aaaa: [] }),
    });
    const hosts = [
      { host: 'admin.one.sandbox.localhost', required: true },
      { host: '*.one.sandbox.localhost', required: false },
    ];
    const { all_right, records } = await sandboxed.check({ hosts, ipv4: OURS, ipv6: null });
    expect(all_right).toBe(true);
    expect(records[1]?.right).toBe(false);
    expect(server.questions).toHaveLength(before);
  });
});

describe('name servers of a zone', () => {
  const names = new Map<string, Name>();
  let server: Awaited<ReturnType<typeof dnsServer>>;
  beforeAll(async () => void (server = await dnsServer(names)));
  afterAll(() => server.stop());
  beforeEach(() => names.clear());
  const zoneServers = () => new SystemResolverClient().zoneServers(server.address, HOST);

  it('are found at the nearest domain, by IPv4 or by IPv6 alone', async () => {
    names
      .set('example.com', { ns: ['ns1.example.net', 'ns2.example.net'] })
      .set('ns1.example.net', { aaaa: ['2a01:4f8::53'] })
      .set('ns2.example.net', { a: ['9.9.9.53'], aaaa: ['2a01:4f8::54'] });
    expect(await zoneServers()).toEqual(['2a01:4f8::53', '9.9.9.53']);
  });

  it('are on the internet', async () => {
    names
      .set('example.com', { ns: ['ns1.example.net', 'ns2.example.net', 'ns3.example.net'] })
      .set('ns1.example.net', { a: ['127.0.0.1'], aaaa: ['::1'] })
      .set('ns2.example.net', { a: ['10.0.0.53'], aaaa: ['2a01:4f8::54'] })
      .set('ns3.example.net', {});
    expect(await zoneServers()).toEqual(['2a01:4f8::54']);
  });

  it('of an alias are those of its own zone, not those of its target', async () => {
    names
      .set(HOST, { cname: 'dynhost.example.org', ns: ['ns.dynhost.example.org'] })
      .set('example.com', { ns: ['ns1.example.net'] })
      .set('ns.dynhost.example.org', { a: ['9.9.9.54'] })
      .set('ns1.example.net', { a: ['9.9.9.53'] });
    expect(await zoneServers()).toEqual(['9.9.9.53']);
  });
});

describe('authoritative zone', () => {
  const HERE = ['198.51.100.1', '198.51.100.2', '198.51.100.3'];
  const THERE = ['203.0.113.53'];
  type Said = Partial<Pick<ResolverAnswer, 'a' | 'cname' | 'error'>>;

  /** The public resolvers find our server. `said` returns the response of each server of a zone for a name. */
  async function checked(
    answerFor: (server: string, host: string) => Said,
    zoneOf: (host: string) => string[] = () => HERE,
  ) {
    const requested: string[] = [];
    const client: ResolverClient = {
      async addresses(server, kind, host) {
        requested.push(`${kind} ${server} ${host}`);
        const answer = kind === 'public' ? { a: [OURS] } : answerFor(server, host);
        return { resolver: server, kind, a: [], aaaa: [], cname: null, error: null, ...answer };
      },
      caa: async (_, name) => ({ name, records: [], error: null }),
      zoneServers: async (server, host) => (server === '1.1.1.1' ? [] : zoneOf(host)),
      cancel: () => undefined,
    };
    const check = new ResolverDnsCheck(seededRandom(1), {
      resolvers: null,
      authority: 'letsencrypt.org',
      sandbox: null,
      newClient: () => client,
    });
    const { records } = await check.check({ hosts: [{ host: HOST, required: true }], ipv4: OURS, ipv6: null });
    return { requested, record: records[0] };
  }

  it('is queried beside the three public resolvers, at its first server that answers', async () => {
    const { requested, record } = await checked((server) =>
      server === HERE[0] ? { error: 'TIMEOUT' } : { a: [OURS] },
    );
    expect(record?.right).toBe(true);
    expect(requested).toEqual([
      `public 1.1.1.1 ${HOST}`,
      `public 8.8.8.8 ${HOST}`,
      `public 9.9.9.9 ${HOST}`,
      `zone 198.51.100.1 ${HOST}`,
      `zone 198.51.100.2 ${HOST}`,
    ]);
  });

  const TARGET = 'kunde7.dynhost.example.org';
  const alias: Said = { cname: TARGET, error: 'NODATA' };
  const zoneOf = (host: string): string[] => (host === TARGET ? THERE : HERE);

  it('is followed into the zone of the target if it answers only with an alias', async () => {
    const { requested, record } = await checked((_, host) => (host === HOST ? alias : { a: [OURS] }), zoneOf);
    expect(record).toMatchObject({ right: true, problem: null });
    expect(requested.slice(3)).toEqual([`zone 198.51.100.1 ${HOST}`, `zone 203.0.113.53 ${TARGET}`]);
  });

  it('is wrong if its alias points elsewhere by now, despite cached resolver answers', async () => {
    const { record } = await checked((_, host) => (host === HOST ? alias : { a: ['198.18.0.99'] }), zoneOf);
    expect(record).toMatchObject({
      problem: 'cname_elsewhere',
      reason: { detail: expect.stringMatching(/alias \(CNAME\) of kunde7\.dynhost\.example\.org/) },
    });
  });

  it('leaves the result to the resolvers if the zone of its alias does not answer', async () => {
    const { record } = await checked((_, host) => (host === HOST ? alias : { error: 'TIMEOUT' }), zoneOf);
    expect(record?.right).toBe(true);
  });

  it('is not followed forever if its aliases form a loop', async () => {
    const { requested, record } = await checked(() => ({ cname: HOST, error: 'NODATA' }));
    expect(requested.filter((each) => each.startsWith('zone'))).toHaveLength(8);
    expect(record?.right).toBe(true);
  });

  it.each([
    ['has no server on the internet', () => ({}), () => []],
    ['has servers that cannot be reached', () => ({ error: 'TIMEOUT' }), zoneOf],
    ['has servers that refuse our queries', () => ({ error: 'REFUSED' }), zoneOf],
  ] as const)('that %s leaves the result to the resolvers', async (_, answerFor, servers) => {
    const { record } = await checked(answerFor, (host) => [...servers(host)]);
    expect(record).toMatchObject({ right: true, problem: null });
  });
});

describe('required agreement', () => {
  const wanted: Wanted = { host: HOST, required: true, ipv4: OURS, ipv6: null, authority: 'letsencrypt.org' };
  const answersOf = (
    resolver: string,
    kind: 'public' | 'zone',
    a: string[],
    error: string | null = null,
  ): ResolverAnswer => ({
    resolver,
    kind,
    a,
    aaaa: [],
    cname: null,
    error,
  });
  const right = [OURS];
  const wrong = ['198.18.0.99'];

  it.each<[string, string[][], string[] | null, string | null]>([
    ['all three and the zone', [right, right, right], right, null],
    ['two of three and the zone', [right, right, wrong], right, null],
    ['two of three and the zone, with no answer at the third', [right, right, []], right, null],
    ['one of three and the zone: not propagated yet', [right, wrong, []], right, 'not_everywhere_yet'],
    ['the zone alone: not propagated yet', [wrong, wrong, wrong], right, 'not_everywhere_yet'],
    ['all three, but the zone has changed', [right, right, right], wrong, 'wrong_address'],
    ['no resolver and no zone', [[], [], []], [], 'none'],
    ['without a zone, one of one', [right], null, null],
    ['without a zone, one of two', [right, wrong], null, null],
    ['without a zone, none of one', [wrong], null, 'wrong_address'],
    ['without a zone, one of three', [right, wrong, wrong], null, 'not_everywhere_yet'],
  ])('%s', (_, ofPublic, zone, problem) => {
    const seen = [
      ...ofPublic.map((a, index) => answersOf(`resolver-${index}`, 'public', a, a.length === 0 ? 'NXDOMAIN' : null)),
      ...(zone === null ? [] : [answersOf('zone', 'zone', zone, zone.length === 0 ? 'NXDOMAIN' : null)]),
    ];
    expect(evaluate(wanted, seen, null)).toMatchObject({ problem, right: problem === null });
  });

  it('names the zone if neither the resolvers nor the zone answer', () => {
    const seen = [
      answersOf('a', 'public', [], 'SERVFAIL'),
      answersOf('b', 'public', [], 'SERVFAIL'),
      answersOf('zone', 'zone', [], 'TIMEOUT'),
    ];
    expect(evaluate(wanted, seen, null)).toMatchObject({
      problem: 'no_answer',
      reason: { detail: expect.stringMatching(/^The name servers of .* \(TIMEOUT\)/) },
    });
  });

  it('includes all but one of the resolvers without an answer of the zone', () => {
    const seen = [
      answersOf('a', 'public', right),
      answersOf('b', 'public', wrong),
      answersOf('c', 'public', wrong),
      answersOf('zone', 'zone', [], 'TIMEOUT'),
    ];
    expect(evaluate(wanted, seen, null).problem).toBe('not_everywhere_yet');
  });

  it('is reached even if one resolver is down', () => {
    const seen = [
      answersOf('a', 'public', right),
      answersOf('b', 'public', right),
      answersOf('c', 'public', [], 'TIMEOUT'),
      answersOf('zone', 'zone', right),
    ];
    expect(evaluate(wanted, seen, null).right).toBe(true);
  });
});
