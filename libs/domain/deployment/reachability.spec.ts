import { describe, expect, it } from '@jest/globals';
import { instant, MINUTE_MS } from '../time';
import type { Incident, IncidentChange } from '../watch/incidents';
import { afterResponse, isOwnOutage } from './reachability';

const AT = instant('2026-12-01T12:00:00Z');
const DOWN: Incident = {
  id: 1,
  kind: 'down',
  subject: '',
  facts: {},
  began_at: AT,
  ended_at: null,
  told_at: null,
};
const finding = { kind: 'down', subject: '', facts: {} } as const;
const began: IncidentChange = { change: 'began', finding, began_at: AT - MINUTE_MS, is_told: false };

describe('reachability', () => {
  it('is known from the first response', () => {
    const unknown = { state: 'unknown', since: null } as const;
    expect(afterResponse(unknown, { responds: true, at: AT }, [])).toEqual({ state: 'reachable', since: AT });
    expect(afterResponse(unknown, { responds: false, at: AT }, [])).toBe(unknown);
  });

  it('ends with the first failure of an incident and returns with its first success', () => {
    const up = { state: 'reachable', since: AT } as const;
    const down = afterResponse(up, { responds: false, at: AT }, [began]);
    expect(down).toEqual({ state: 'unreachable', since: AT - MINUTE_MS });
    const ended = { change: 'ended', incident: DOWN, ended_at: AT + MINUTE_MS } as const;
    expect(afterResponse(down, { responds: true, at: AT + 2 * MINUTE_MS }, [ended])).toEqual({
      state: 'reachable',
      since: AT + MINUTE_MS,
    });
  });

  it('does not change with a single failure or with other incidents', () => {
    const up = { state: 'reachable', since: AT } as const;
    expect(afterResponse(up, { responds: false, at: AT }, [])).toBe(up);
    const disk = { change: 'began', finding: { ...finding, kind: 'disk_full' }, began_at: AT, is_told: true } as const;
    expect(afterResponse(up, { responds: true, at: AT }, [disk])).toBe(up);
  });
});

describe('complete failure', () => {
  it.each([
    [9, false],
    [10, true],
  ])('of %i simultaneous checks is our own outage: %s', (count, expected) => {
    expect(isOwnOutage(Array.from({ length: count }, () => false))).toBe(expected);
  });

  it('is none if one responds', () => {
    expect(isOwnOutage([...Array.from({ length: 20 }, () => false), true])).toBe(false);
  });
});
