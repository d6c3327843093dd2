import { describe, expect, it } from '@jest/globals';
import {
  type AutomaticUpdates,
  includesKind,
  isReachable,
  newerReleases,
  nextRelease,
  type Release,
  releaseForNew,
  releaseProblems,
  runningRelease,
  waitsForOwner,
} from './releases';

const release = (version: string, over: Partial<Release> = {}): Release => ({
  version,
  kind: 'minor',
  migrates: false,
  supported_until: null,
  ...over,
});

/** One minor version at a time, with patches that can be skipped. */
const RELEASES: readonly Release[] = [
  release('1.23.0'),
  release('1.23.1', { kind: 'patch' }),
  release('1.23.2', { kind: 'security', from: ['1.23.0', '1.23.1'] }),
  release('1.24.0', { from: ['1.23.1', '1.23.2'], migrates: true }),
  release('1.24.1', { kind: 'patch' }),
  release('1.25.0', { from: ['1.24.0', '1.24.1'], migrates: true }),
];
const all = (): boolean => true;
const none = (): boolean => false;
const at = (version: string): Release => runningRelease(RELEASES, version) ?? release('none');

describe('releases of a package', () => {
  it('run as the first one in deployments from before there were releases', () => {
    expect(runningRelease(RELEASES, null)?.version).toBe('1.23.0');
    expect(runningRelease(RELEASES, '1.24.1')?.version).toBe('1.24.1');
    expect(runningRelease(RELEASES, '9.9.9')).toBeNull();
  });

  it('are newer if they are listed later', () => {
    expect(newerReleases(RELEASES, '1.24.0').map(({ version }) => version)).toEqual(['1.24.1', '1.25.0']);
    expect(newerReleases(RELEASES, '1.25.0')).toEqual([]);
    expect(newerReleases(RELEASES, '9.9.9')).toEqual([]);
  });

  it.each([
    ['the version before, if nothing else is said', '1.23.0', '1.23.1', true],
    ['a version that is named', '1.23.0', '1.23.2', true],
    ['no version that is not named', '1.23.0', '1.24.0', false],
    ['no newer version', '1.24.1', '1.24.0', false],
    ['not itself', '1.24.0', '1.24.0', false],
    ['no unknown version', '9.9.9', '1.24.0', false],
  ])('can be reached from %s', (_, from, to, expected) => {
    expect(isReachable(RELEASES, from, at(to), { isWithdrawn: none })).toBe(expected);
  });

  it.each<[string, string[], Partial<Release>, boolean]>([
    ['past withdrawn ones', ['2', '3'], {}, true],
    ['not past one that is not withdrawn', ['3'], {}, false],
    ['not past a withdrawn one that migrates the data', ['2', '3'], { migrates: true }, false],
  ])('lead %s', (_, withdrawn, second, expected) => {
    const to = release('4');
    const releases = [release('1'), release('2', second), release('3'), to];
    const isWithdrawn = ({ version }: Release): boolean => withdrawn.includes(version);
    expect(isReachable(releases, '1', to, { isWithdrawn })).toBe(expected);
  });

  it('lead from a withdrawn version to the next', () => {
    expect(isReachable(RELEASES, '1.24.0', at('1.24.1'), { isWithdrawn: all })).toBe(true);
  });

  it('are only reached from named versions, even if those are withdrawn', () => {
    expect(isReachable(RELEASES, '1.23.0', at('1.24.0'), { isWithdrawn: all })).toBe(false);
  });

  it.each([
    ['1.23.0', '1.23.2'],
    ['1.23.2', '1.24.0'],
    ['1.24.0', '1.25.0'],
    ['1.25.0', undefined],
  ])('lead from %s in one step to the newest that can be reached', (from, to) => {
    expect(nextRelease(RELEASES, from, { isOffered: all, isWithdrawn: none })?.version).toBe(to);
  });

  it('lead only to a release that is offered', () => {
    const isOffered = ({ version }: Release): boolean => version !== '1.25.0';
    expect(nextRelease(RELEASES, '1.24.0', { isOffered, isWithdrawn: none })?.version).toBe('1.24.1');
  });

  it('are chosen for new deployments as the newest that is offered, or the first', () => {
    expect(releaseForNew(RELEASES, ({ version }) => version.startsWith('1.23'))?.version).toBe('1.23.2');
    expect(releaseForNew(RELEASES, () => false)?.version).toBe('1.23.0');
    expect(releaseForNew([], all)).toBeNull();
  });
});

describe('automatic updates', () => {
  it('include more kinds the more is allowed', () => {
    expect((['security', 'patch', 'minor'] as const).map((kind) => includesKind('off', kind))).toEqual([
      false,
      false,
      false,
    ]);
    expect((['security', 'patch', 'minor'] as const).map((kind) => includesKind('patch', kind))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each([
    ['off', '1.23.1', undefined],
    ['security', '1.23.1', '1.23.2'],
    ['patch', '1.23.0', '1.23.2'],
    ['minor', '1.23.2', '1.24.0'],
    ['patch', '1.23.2', undefined],
  ] as const)('of the kind "%s" lead from %s to %s', (automatic, from, to) => {
    expect(nextRelease(RELEASES, from, { isOffered: all, isWithdrawn: none, automatic })?.version).toBe(to);
  });

  it('do not bring along a release of another kind that they skip', () => {
    expect(nextRelease(RELEASES, '1.23.0', { isOffered: all, isWithdrawn: none, automatic: 'security' })).toBeNull();
  });
});

describe('automatic updates wait for the owner', () => {
  const kinds = (...each: Release['kind'][]): Release[] => [
    release('1'),
    ...each.map((kind, index) => release(String(index + 2), { kind })),
  ];
  it.each<[string, Release[], AutomaticUpdates, string[], boolean]>([
    ['if a security release follows a patch', kinds('patch', 'security'), 'security', ['2', '3'], true],
    ['if automatic updates end before it', kinds('security', 'patch', 'security'), 'security', ['2', '3', '4'], true],
    ['not if all are included', kinds('patch', 'security'), 'patch', ['2', '3'], false],
    ['not if only other kinds are newer', kinds('security', 'minor'), 'security', ['2', '3'], false],
    ['not if the security release is not offered', kinds('patch', 'security'), 'security', ['2'], false],
    ['not if nothing leads to it yet', kinds('patch', 'security'), 'security', ['3'], false],
    ['not if they are off', kinds('patch', 'security'), 'off', ['2', '3'], false],
  ])('%s', (_, releases, automatic, offered, expected) => {
    const isOffered = ({ version }: Release): boolean => offered.includes(version);
    expect(waitsForOwner(releases, '1', { isOffered, isWithdrawn: none, automatic })).toBe(expected);
  });
});

describe('a list of releases', () => {
  it('is accepted when each leads to the next', () => {
    expect(releaseProblems(RELEASES)).toEqual([]);
  });

  it.each([
    ['twice the same version', [release('1'), release('1')], 'release 1 is listed twice'],
    ['a way to the first one', [release('1', { from: ['0'] })], 'release 1 is the first, so nothing leads to it'],
    [
      'a way from a version that is not there',
      [release('1'), release('2', { from: ['0'] })],
      "release 2 can't be reached from 0, which is not listed before it",
    ],
  ])('is rejected with %s', (_, releases, problem) => {
    expect(releaseProblems(releases)).toEqual([problem]);
  });
});
