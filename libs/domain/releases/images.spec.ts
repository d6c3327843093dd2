import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, instant, type Instant } from '../time';
import {
  checkedImage,
  type ImageFound,
  imagePin,
  isExactTag,
  isMovedImage,
  isWithdrawnImage,
  newerTag,
  UNCHECKED_IMAGE,
} from './images';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const OTHER = `sha256:${'b'.repeat(64)}`;

describe('pin of an image', () => {
  it.each([
    ['docker.io/fosrl/pangolin:1.24.0', 'docker.io', 'fosrl/pangolin', '1.24.0', null],
    ['docker.io/traefik:v3.7.12', 'docker.io', 'library/traefik', 'v3.7.12', null],
    ['traefik:v3.7.12', 'docker.io', 'library/traefik', 'v3.7.12', null],
    ['fosrl/pangolin:1.24.0', 'docker.io', 'fosrl/pangolin', '1.24.0', null],
    ['ghcr.io/moghtech/komodo-periphery:2.3.2', 'ghcr.io', 'moghtech/komodo-periphery', '2.3.2', null],
    ['127.0.0.1:5000/a/b:1', '127.0.0.1:5000', 'a/b', '1', null],
    [`ghcr.io/a/b:1.0@${DIGEST}`, 'ghcr.io', 'a/b', '1.0', DIGEST],
    [`ghcr.io/a/b@${DIGEST}`, 'ghcr.io', 'a/b', null, DIGEST],
  ])('%s is parsed', (pin, registry, repository, tag, digest) => {
    expect(imagePin(pin)).toEqual({ registry, repository, tag, digest });
  });

  it.each(['v1.7.0', '4.3.10', 'docker.io/traefik', 'ghcr.io/A/b:1', 'ghcr.io/a/b:1@sha256:1', 'ghcr.io/../b:1'])(
    '%s is not an image',
    (pin) => {
      expect(imagePin(pin)).toBeNull();
    },
  );
});

describe('newer tag', () => {
  it.each([
    ['v3.7.12', ['v3.7.9', 'v3.7.12', 'v3.7.14', 'v3.8.0-rc.1', 'v3', 'latest'], 'v3.7.14'],
    ['v3.7.9', ['v3.7.10', '3.7.11'], 'v3.7.10'],
    ['15-alpine', ['15.4-alpine', '16-alpine', '17', '16-alpine3.20', '17beta1-alpine'], null],
    ['3.21', ['3.9', '3.21', '3.21.3', '20260127', 'edge'], null],
    ['1.27-alpine', ['1.28-alpine', '1.29-alpine-slim', '1.28.0-alpine'], '1.28-alpine'],
    ['3.12-slim-bookworm', ['3.13-slim-bookworm', '3.14-rc-slim-bookworm'], '3.13-slim-bookworm'],
    ['latest', ['1.0.0'], null],
    ['1.24.0', [], null],
  ])('than %s is of the same shape', (pinned, tags, expected) => {
    expect(newerTag(pinned, tags)).toBe(expected);
  });
});

describe('checks of an image', () => {
  const START = instant('2026-11-30T04:40:00.000Z');
  const found = (digest: string | null = DIGEST): ImageFound => ({ state: 'found', digest });
  const MISSING: ImageFound = { state: 'missing' };
  const UNREACHABLE: ImageFound = { state: 'unreachable' };
  const after = (...checks: readonly (readonly [atMs: Instant, found: ImageFound])[]) =>
    checks.reduce(
      (state, [atMs, what]) => checkedImage(state, what, { at: START + atMs, isExact: true }),
      UNCHECKED_IMAGE,
    );

  it.each<[string, readonly (readonly [Instant, ImageFound])[], boolean]>([
    ['missing once', [[0, MISSING]], false],
    [
      'missing again within 20 hours',
      [
        [0, MISSING],
        [20 * HOUR_MS - 1, MISSING],
      ],
      false,
    ],
    [
      'missing again after 20 hours',
      [
        [0, MISSING],
        [20 * HOUR_MS, MISSING],
      ],
      true,
    ],
    [
      'found in between',
      [
        [0, MISSING],
        [DAY_MS, found()],
        [2 * DAY_MS, MISSING],
      ],
      false,
    ],
    [
      'not reachable after it was missing',
      [
        [0, MISSING],
        [DAY_MS, UNREACHABLE],
      ],
      false,
    ],
    [
      'not reachable in between',
      [
        [0, MISSING],
        [DAY_MS, UNREACHABLE],
        [2 * DAY_MS, MISSING],
      ],
      true,
    ],
    [
      'found again',
      [
        [0, MISSING],
        [DAY_MS, MISSING],
        [2 * DAY_MS, found()],
      ],
      false,
    ],
    [
      'not reachable after it was withdrawn',
      [
        [0, MISSING],
        [DAY_MS, MISSING],
        [2 * DAY_MS, UNREACHABLE],
      ],
      true,
    ],
    [
      'never reachable',
      [
        [0, UNREACHABLE],
        [DAY_MS, UNREACHABLE],
      ],
      false,
    ],
  ])('that is %s', (_, checks, isWithdrawn) => {
    expect(isWithdrawnImage(after(...checks))).toBe(isWithdrawn);
  });

  it.each<[string, readonly (readonly [Instant, ImageFound])[], Instant | null]>([
    ['the first digest', [[0, found()]], null],
    [
      'the same digest',
      [
        [0, found()],
        [DAY_MS, found()],
      ],
      null,
    ],
    [
      'another digest',
      [
        [0, found()],
        [DAY_MS, found(OTHER)],
      ],
      DAY_MS,
    ],
    [
      'no digest',
      [
        [0, found()],
        [DAY_MS, found(null)],
      ],
      null,
    ],
    [
      'another digest after none',
      [
        [0, found()],
        [DAY_MS, found(null)],
        [2 * DAY_MS, found(OTHER)],
      ],
      2 * DAY_MS,
    ],
    [
      'another digest after it was missing',
      [
        [0, found()],
        [1, MISSING],
        [2, found(OTHER)],
      ],
      2,
    ],
  ])('that has %s', (_, checks, movedMs) => {
    expect(after(...checks).moved_at).toBe(movedMs === null ? null : START + movedMs);
  });

  it('expect that a tag for several versions moves', () => {
    const before = after([0, found()]);
    expect(checkedImage(before, found(OTHER), { at: START + DAY_MS, isExact: false }).moved_at).toBeNull();
    expect(['v3.7.14', '1.5.2', '15.4.1-alpine'].map(isExactTag)).toEqual([true, true, true]);
    expect(['latest', '7-alpine', 'v3.6', '3.12-slim-bookworm'].map(isExactTag)).toEqual([false, false, false, false]);
  });

  it('report a tag that was pushed again for a week', () => {
    const state = after([0, found()], [DAY_MS, found(OTHER)]);
    expect([7, 8].map((days) => isMovedImage(state, START + days * DAY_MS))).toEqual([true, false]);
  });

  it('remember when the registry last responded', () => {
    const state = after([0, found()], [DAY_MS, UNREACHABLE]);
    expect([state.checked_at, state.is_unreachable]).toEqual([START, true]);
    expect(after([0, UNREACHABLE], [DAY_MS, found()]).is_unreachable).toBe(false);
  });
});
