import { describe, expect, it } from '@jest/globals';
import type { User } from '@moorage/contracts';
import { forgetRecent, storeRecent, recent } from './recent';
import { endSession, startSession } from './session';

const person = (id: number): User => ({
  id,
  username: `person-${id}`,
  email: `person-${id}@example.org`,
  is_admin: false,
  is_verified: true,
  pending_email: null,
  email_undeliverable: false,
  has_two_factor: false,
  language: 'en',
  balance: 0,
  created_at: '2026-11-01T00:00:00.000Z',
});
const opened = (id: number, name = `deployment-${id}`) => ({ kind: 'deployment' as const, id, name });

describe('recently opened items', () => {
  it('are stored newest first, without duplicates, six at most', () => {
    startSession('token', person(1));
    for (const id of [1, 2, 3, 4, 5, 6, 7]) storeRecent(opened(id));
    storeRecent(opened(4, 'renamed'));
    storeRecent({ kind: 'user', id: 4, name: 'kit' });
    expect(recent().map(({ kind, id, name }) => `${kind} ${id} ${name}`)).toEqual([
      'user 4 kit',
      'deployment 4 renamed',
      'deployment 7 deployment-7',
      'deployment 6 deployment-6',
      'deployment 5 deployment-5',
      'deployment 3 deployment-3',
    ]);
  });

  it('lose an item that no longer exists', () => {
    startSession('token', person(1));
    storeRecent(opened(1));
    storeRecent(opened(2));
    forgetRecent({ kind: 'deployment', id: 2 });
    expect(recent()).toEqual([opened(1)]);
  });

  it('end with the session and are not visible to other users', () => {
    startSession('token', person(1));
    storeRecent(opened(1));
    startSession('another token', person(2));
    expect(recent()).toEqual([]);
    endSession();
    expect(localStorage.length).toBe(0);
    startSession('token', person(1));
    expect(recent()).toEqual([]);
  });

  it('store only a number and a name', () => {
    startSession('token', person(1));
    storeRecent(opened(1, 'harbour'));
    expect(JSON.parse(localStorage.getItem('recent') ?? '')).toEqual({
      owner: 1,
      opened: [{ kind: 'deployment', id: 1, name: 'harbour' }],
    });
  });

  it.each(['nonsense', '{"owner":1}', '{"owner":1,"opened":[null,{"kind":"deployment"},7]}', '[]'])(
    'are empty if the storage holds %s',
    (stored) => {
      startSession('token', person(1));
      localStorage.setItem('recent', stored);
      expect(recent()).toEqual([]);
    },
  );
});
