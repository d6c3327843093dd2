import { describe, expect, it } from '@jest/globals';
import { PAGES_MAX } from './cloud-http';
import { everyPage } from './every-page';

describe('every page of a list', () => {
  it('is asked for once, in order', async () => {
    const pages = new Map([
      ['', { items: [1, 2], next: 'b' }],
      ['b', { items: [], next: 'c' }],
      ['c', { items: [3], next: null }],
    ]);
    const all = await everyPage('/servers', '', (at) => Promise.resolve(pages.get(at) ?? { items: [0], next: null }));
    expect(all).toEqual([1, 2, 3]);
  });

  it('is an error where the list does not end, never a part of it', async () => {
    let requested = 0;
    const endless = everyPage('/servers', 1, (page) => Promise.resolve({ items: [++requested], next: page + 1 }));
    await expect(endless).rejects.toMatchObject({ kind: 'transient', message: '/servers: the list has no end' });
    expect(requested).toBe(PAGES_MAX);
  });
});
