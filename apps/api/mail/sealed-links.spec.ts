import { describe, expect, it } from '@jest/globals';
import { systemRandom, SealBox } from '@moorage/server';
import { SealedLinks } from './sealed-links';

const boxOf = (...ids: string[]) =>
  new SealBox({ keys: ids.map((id, at) => ({ id, key: Buffer.alloc(32, id.length + at) })), random: systemRandom() });

describe('reusable link', () => {
  const links = new SealedLinks(boxOf('one'));
  const token = links.token('conversation', '17');

  it('identifies its subject, with different characters each time', () => {
    expect(links.open('conversation', token)).toBe('17');
    expect(links.token('conversation', '17')).not.toBe(token);
    expect(token).toMatch(/^[A-Za-z0-9._-]{20,200}$/);
  });

  it.each([
    ['of another purpose', () => links.open('unsubscribe', token)],
    ['under a key that is gone', () => new SealedLinks(boxOf('three')).open('conversation', token)],
    [
      'with a changed letter',
      () => links.open('conversation', token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA')),
    ],
    ['cut short', () => links.open('conversation', token.slice(0, 30))],
    ['made up', () => links.open('conversation', `one.${'A'.repeat(60)}`)],
    ['empty', () => links.open('conversation', '')],
  ])('is invalid when it is %s', (_, open) => {
    expect(open()).toBeNull();
  });
});
