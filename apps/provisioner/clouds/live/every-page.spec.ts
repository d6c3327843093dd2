import { describe, expect, it } from '@jest/globals';
import { PAGES_MAX } from './cloud-http';
import { everyPage } from './every-page';

describe('all pages of a list', () => {
  it('are requested once, in order', async () => {
    const pages = new Map([
      ['', { items: [1, 2], next: 'b' }],
      ['b', { items: [], next: 'c' }],
      ['c', { items: [3], next: null }],
    ]);
    const all = await everyPage('/servers', '', (at) => Promise.resolve(pages.get(at) ?? { items: [0], next: null }));
    expect(all).toEqual([1, 2, 3]);
  });

  it('are an error if the list does not end, never a partial list', async () => {
    let requested = 0;
    const endless = everyPage('/servers', 1, (page) => Promise.resolve({ items: [++requested], next: page + 1 }));
    await expect(endless).rejects.toMatchObject({
      kind: 'transient',
      message: '/servers: the list has too many pages',
    });
    expect(requested).toBe(PAGES_MAX);
  });
});
