import { describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '../time';
import { deleteUndoMs } from './delete-undo';

describe('the time during which a delete can be undone', () => {
  it.each([
    ['a running deployment', { hours: 24, serverType: 'new', status: 'READY' }, 24 * HOUR_MS],
    ['one without correct DNS records', { hours: 24, serverType: 'new', status: 'DNS_FAILED' }, 24 * HOUR_MS],
    ["one on a customer's own server", { hours: 24, serverType: 'vps', status: 'READY' }, 0],
    ['a failed one', { hours: 24, serverType: 'new', status: 'FAILED' }, 0],
    ['an installation that keeps no servers', { hours: 0, serverType: 'new', status: 'READY' }, 0],
  ] as const)('of %s', (_, deleted, expected) => {
    expect(deleteUndoMs(deleted)).toBe(expected);
  });
});
