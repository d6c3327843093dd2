import { expect, it } from '@jest/globals';
import { DAY_MS } from '../time';
import { copiesKeptUntil } from './retention';

it.each([
  ['a deployment of level 2 that is gone', 2, true, 7],
  ['a deployment of level 3 that is gone', 3, true, 28],
  ['a deployment that has changed to level 1', 1, false, 7],
  ['a deployment of level 1 that is gone, and had backups before', 1, true, 7],
] as const)('keeps the copies of %s', (_, level, isGone, days) => {
  expect(copiesKeptUntil({ level, isGone }, 1_000)).toBe(1_000 + days * DAY_MS);
});
