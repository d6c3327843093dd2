import { describe, expect, it } from '@jest/globals';
import { parseEnvelope } from './envelope';
import { envelope } from './testing';

describe('received envelope', () => {
  it('is accepted with exactly its expected fields', () => {
    const sent = envelope('a', 1);
    expect(parseEnvelope(JSON.parse(JSON.stringify({ ...sent, extra: 'x' })))).toEqual(sent);
  });

  it.each([
    ['nothing', null],
    ['a list', []],
    ['text', 'event'],
    ['an id that is none', { event_id: '1; drop table inbox' }],
    ['no stream', { stream: undefined }],
    ['a sequence before the first', { sequence: 0 }],
    ['a sequence between two', { sequence: 1.5 }],
    ['a version as text', { version: '1' }],
    ['an instant that is none', { occurred_at: 'yesterday' }],
    ['data that is a list', { data: [] }],
    ['no data', { data: null }],
  ])('is rejected when it is %s', (_name, wrong) => {
    const value =
      wrong !== null && typeof wrong === 'object' && !Array.isArray(wrong) ? { ...envelope('a', 1), ...wrong } : wrong;
    expect(parseEnvelope(value)).toBeNull();
  });
});
