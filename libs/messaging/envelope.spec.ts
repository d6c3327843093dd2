import { describe, expect, it } from '@jest/globals';
import { parseEnvelope } from './envelope';
import { envelope } from '@moorage/testing/messaging';

describe('received envelope', () => {
  it('is accepted with exactly its expected fields', () => {
    const sent = envelope('a', 1);
    expect(parseEnvelope(JSON.parse(JSON.stringify({ ...sent, extra: 'x' })))).toEqual(sent);
  });

  it.each([
    ['nothing', null],
    ['a list', []],
    ['text', 'event'],
    ['an invalid id', { event_id: '1; drop table inbox' }],
    ['a missing stream', { stream: undefined }],
    ['a sequence below the first', { sequence: 0 }],
    ['a fractional sequence', { sequence: 1.5 }],
    ['a version as text', { version: '1' }],
    ['an invalid instant', { occurred_at: 'yesterday' }],
    ['a list as data', { data: [] }],
    ['missing data', { data: null }],
  ])('is rejected for %s', (_name, wrong) => {
    const value =
      wrong !== null && typeof wrong === 'object' && !Array.isArray(wrong) ? { ...envelope('a', 1), ...wrong } : wrong;
    expect(parseEnvelope(value)).toBeNull();
  });
});
