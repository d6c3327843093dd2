import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from '../time';
import {
  type Announceable,
  announcement,
  dueSupportNotice,
  securityUpdate,
  SUPPORT_NOTICES,
  type SupportNotified,
  urgencyOf,
} from './announcements';
import type { Release } from './releases';

const release = (version: string, over: Partial<Release> = {}): Release => ({
  version,
  kind: 'minor',
  migrates: false,
  supported_until: null,
  ...over,
});
const RELEASES: readonly Release[] = [
  release('1.23.0'),
  release('1.23.1', { kind: 'security' }),
  release('1.23.2', { kind: 'patch', from: ['1.23.0', '1.23.1'] }),
  release('1.24.0'),
];

describe('announcement of a version', () => {
  const announced = (over: Partial<Announceable<Release>> = {}): string | null =>
    announcement({
      releases: RELEASES,
      running: '1.23.0',
      isOffered: () => true,
      isWithdrawn: () => false,
      isHeld: false,
      automatic: 'off',
      announced: null,
      failed: null,
      ...over,
    })?.version ?? null;

  it.each<[string, string | null, Partial<Announceable<Release>>]>([
    ['names the version of the next update', '1.23.2', {}],
    ['is not repeated', null, { announced: '1.23.2' }],
    ['follows that of an older version', '1.23.2', { announced: '1.23.1' }],
    ['follows that of a version that is no longer listed', '1.23.2', { announced: '1.22.0' }],
    ['does not go back when the newest version is withdrawn', null, { announced: '1.24.0' }],
    ['does not name a version that is not offered', '1.23.1', { isOffered: ({ version }) => version === '1.23.1' }],
    ['does not happen while nothing is offered', null, { isOffered: () => false }],
    ['does not happen while the version is held', null, { isHeld: true }],
    ['does not happen if the version is installed automatically', null, { automatic: 'patch' }],
    ['happens if automatic updates do not include its kind', '1.23.2', { automatic: 'security' }],
    ['does not happen after an update to it failed', null, { failed: '1.23.2' }],
    ['happens after an update to another version failed', '1.23.2', { failed: '1.23.1' }],
    ['does not happen for the newest version', null, { running: '1.24.0' }],
    ['does not happen for an unknown version', null, { running: '9.9.9' }],
  ])('%s', (_, expected, over) => {
    expect(announced(over)).toBe(expected);
  });
});

it.each([
  ['1.23.0', '1.23.2', 'security'],
  ['1.23.1', '1.23.2', 'patch'],
  ['1.23.2', '1.24.0', 'minor'],
])('an update from %s to %s is as urgent as the most urgent version it brings', (from, to, expected) => {
  const target = RELEASES.find(({ version }) => version === to) ?? release(to);
  expect(urgencyOf(RELEASES, from, target)).toBe(expected);
});

it('a version is announced again when a security update follows after it, and then no more', () => {
  const releases = [release('1'), release('2', { kind: 'patch' }), release('3', { kind: 'security' })];
  const state = { releases, running: '1', isWithdrawn: () => false, isHeld: false, failed: null } as const;
  const announced = (last: string, offered: string[]) =>
    announcement({
      ...state,
      automatic: 'security',
      announced: last,
      isOffered: (each) => offered.includes(each.version),
    })?.version;
  expect(announced('2', ['2'])).toBeUndefined();
  expect(announced('2', ['2', '3'])).toBe('2');
  expect(announced('3', ['2', '3'])).toBeUndefined();
});

it.each<[string, string | null, string[]]>([
  ['the next update if it brings them', '2', ['2']],
  ['a later update if the next one leads to it', '3', ['1.1', '3']],
  ['none if nothing leads to them', null, ['1.1']],
])('security fixes are in %s', (_, expected, offered) => {
  const releases = [
    release('1'),
    release('1.1', { kind: 'patch' }),
    release('2', { kind: 'security', from: ['1'] }),
    release('3', { kind: 'security', from: ['1.1'] }),
  ];
  const isOffered = ({ version }: Release): boolean => offered.includes(version);
  expect(securityUpdate(releases, '1', { isOffered, isWithdrawn: () => false })?.version ?? null).toBe(expected);
});

describe('notice about the end of support', () => {
  const UNTIL = '2027-05-10';
  const due = (today: string, notified: SupportNotified | null = null, until: string | null = UNTIL): number | null =>
    dueSupportNotice([release('1.23.0', { supported_until: until })], null, { today, notified })?.notice ?? null;
  const was = (notice: number, over: Partial<SupportNotified> = {}): SupportNotified => ({
    version: '1.23.0',
    until: UNTIL,
    notice,
    ...over,
  });

  // The clocks of Europe change between the first notice and the last day.
  it.each([
    ['61 days before', '2027-03-10', null],
    ['60 days before', '2027-03-11', 60],
    ['15 days before', '2027-04-25', 60],
    ['14 days before', '2027-04-26', 14],
    ['on the last day', '2027-05-10', 14],
    ['on the day after', '2027-05-11', -1],
    ['a year later', '2028-05-10', -1],
  ])('%s is the latest that has been reached', (_, today, expected) => {
    expect(due(today)).toBe(expected);
  });

  it.each<[string, string, SupportNotified, number | null]>([
    ['is not repeated', '2027-04-01', was(60), null],
    ['follows the one before', '2027-04-26', was(60), 14],
    ['is not repeated after the end', '2029-01-01', was(-1), null],
    ['starts anew if the date has moved', '2027-04-01', was(-1, { until: '2027-03-31' }), 60],
    ['starts anew for another version', '2027-04-01', was(60, { version: '1.22.0' }), 60],
  ])('%s', (_, today, notified, expected) => {
    expect(due(today, notified)).toBe(expected);
  });

  it('is not due without an announced end', () => {
    expect(due('2027-04-26', null, null)).toBeNull();
    expect(dueSupportNotice(RELEASES, '9.9.9', { today: '2027-04-26', notified: null })).toBeNull();
  });

  it('is sent at most once per threshold and in order, whichever days are checked', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: -100, max: 100 }), { minLength: 1 }), (offsets) => {
        const sent: number[] = [];
        let notified: SupportNotified | null = null;
        for (const offset of offsets.sort((a, b) => a - b)) {
          const notice = due(addDays(UNTIL, offset), notified);
          if (notice === null) continue;
          expect(-offset).toBeLessThanOrEqual(notice);
          sent.push(notice);
          notified = was(notice);
        }
        const latest = SUPPORT_NOTICES.findLast((days) => -Math.max(...offsets) <= days);
        expect(sent).toEqual(SUPPORT_NOTICES.filter((days) => sent.includes(days)));
        expect(sent.at(-1)).toBe(latest);
      }),
    );
  });
});
