import { describe, expect, it } from '@jest/globals';
import { DAY_MS, instant } from '../time';
import {
  type ContainerFacts,
  daysLeft,
  type HostFacts,
  judgeCertificates,
  judgeHost,
  judgeRecords,
  judgeResponse,
  judgeServer,
} from './findings';

const AT = instant('2026-12-01T12:00:00Z');
const kindsOf = ({ findings }: { findings: readonly { kind: string }[] }): string[] => findings.map(({ kind }) => kind);

describe('response', () => {
  it.each([
    [null, ['down']],
    [0, []],
    [2_999, []],
    [3_000, ['slow']],
  ])('after %s ms', (ms, expected) => {
    expect(kindsOf(judgeResponse(ms))).toEqual(expected);
  });

  it('that is missing says nothing about the speed', () => {
    expect(judgeResponse(null).kinds).toEqual(['down']);
  });
});

const CONTAINER: ContainerFacts = {
  name: 'web',
  state: 'running',
  health: 'healthy',
  restarts: 0,
  exit_code: 0,
  stays: true,
  memory_mb: 100,
  started_at: null,
};
const HOST: HostFacts = {
  cpus: 2,
  cpu_percent: 10,
  load: 0.2,
  memory_mb: 1_000,
  memory_used_mb: 100,
  disk_mb: 10_000,
  disk_used_mb: 1_000,
  logs_mb: 1,
  uptime_s: 100,
  containers: [CONTAINER],
};

describe('server', () => {
  it.each([
    [7_999, []],
    [8_000, ['disk_filling']],
    [8_999, ['disk_filling']],
    [9_000, ['disk_filling', 'disk_full']],
    [10_000, ['disk_filling', 'disk_full']],
  ])('with %i of 10 000 MB of disk used', (disk_used_mb, expected) => {
    expect(kindsOf(judgeHost({ ...HOST, disk_used_mb }, null))).toEqual(expected);
  });

  it.each([
    [949, []],
    [950, ['memory_full']],
  ])('with %i of 1 000 MB of memory used', (memory_used_mb, expected) => {
    expect(kindsOf(judgeHost({ ...HOST, memory_used_mb }, null))).toEqual(expected);
  });

  it.each<[string, Partial<ContainerFacts>, string[]]>([
    ['is running', {}, []],
    ['keeps restarting', { state: 'restarting' }, ['container_restarting']],
    ['restarted since the last check', { restarts: 3 }, ['container_restarting']],
    ['has restarted before', { restarts: 2 }, []],
    ['was stopped', { state: 'exited' }, ['container_stopped']],
    ['is missing', { state: 'missing' }, ['container_stopped']],
    ['has done its work', { state: 'exited', stays: false }, []],
    ['failed in its work', { state: 'exited', stays: false, exit_code: 1 }, ['container_stopped']],
  ])('with a container that %s', (_, over, expected) => {
    const before = { containers: [{ name: 'web', restarts: 2 }] };
    const restarts = over.restarts ?? 2;
    expect(kindsOf(judgeHost({ ...HOST, containers: [{ ...CONTAINER, ...over, restarts }] }, before))).toEqual(
      expected,
    );
  });

  it.each([
    ['running', []],
    ['booting', []],
    ['stopped', ['server_off']],
  ])('that is %s at its provider', (state, expected) => {
    expect(kindsOf(judgeServer({ state, provider: 'aws', stopped_by: null }))).toEqual(expected);
  });
});

describe('certificates', () => {
  const inDays = (days: number) => AT + days * DAY_MS;
  it.each([
    ['good', inDays(20), []],
    ['good', inDays(20) - 1, ['certificate_not_renewed']],
    ['expires_soon', inDays(20) - 1, ['certificate_not_renewed']],
    ['expires_soon', AT + 1, ['certificate_not_renewed']],
    ['good', AT, ['certificate_expired']],
    ['expired', AT - 1, ['certificate_expired']],
    ['not_issued', inDays(365), ['certificate_missing']],
    ['wrong_issuer', inDays(60), ['certificate_wrong']],
    ['staging', inDays(60), ['certificate_wrong']],
    ['wrong_name', inDays(60), ['certificate_wrong']],
  ] as const)('with the result %s that expire at %i', (verdict, expires_at, expected) => {
    expect(kindsOf(judgeCertificates([{ host: 'example.com', verdict, expires_at }], AT))).toEqual(expected);
  });

  it('name the host and the days that are left', () => {
    const certificate = { host: 'example.com', verdict: 'good', expires_at: AT + 3.5 * DAY_MS } as const;
    expect(judgeCertificates([certificate], AT).findings).toEqual([
      { kind: 'certificate_not_renewed', subject: 'example.com', facts: { host: 'example.com', days: 3 } },
    ]);
    expect(daysLeft(AT - DAY_MS, AT)).toBe(0);
  });

  it('are unknown while the server does not respond', () => {
    const certificate = { host: 'example.com', verdict: 'unreachable', expires_at: null } as const;
    expect(judgeCertificates([certificate], AT)).toEqual({ kinds: [], findings: [] });
  });
});

describe('DNS records', () => {
  const record = (problem: string | null, required = true) => ({ host: 'example.com', required, problem });

  it.each([
    [null, []],
    ['wrong_address', ['dns_elsewhere']],
    ['none', ['dns_elsewhere']],
    ['cname_elsewhere', ['dns_elsewhere']],
    ['proxied', []],
    ['not_everywhere_yet', []],
  ])('with the problem %s', (problem, expected) => {
    expect(kindsOf(judgeRecords([record(problem)]))).toEqual(expected);
  });

  it('that are not needed may be missing', () => {
    expect(judgeRecords([record('none', false)]).findings).toEqual([]);
  });

  it('are unknown if a resolver does not respond', () => {
    expect(judgeRecords([record('wrong_address'), record('no_answer')]).kinds).toEqual([]);
  });
});
