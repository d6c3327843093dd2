import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { systemRandom } from '@moorage/server';
import { Passwords } from '../auth/passwords.service';
import { apiHarness, TEST_SETTINGS } from '@moorage/tests/services/api/api-harness';

/** Twice the cost of a real hash, so that the flood lasts long compared to everything else. */
const DEAR = { memoryCost: 32 * 1024, timeCost: 2, parallelism: 1 };

/**
 * S11: a flood of logins occupies two threads, and nothing else waits for it. The test compares the order of completion
 * instead of durations, so that it is reliable on a busy machine.
 */
describe('login flood', () => {
  it('leaves threads for other work: a file is read while most logins still wait', async () => {
    const passwords = new Passwords(systemRandom(), { ...TEST_SETTINGS, passwordCost: DEAR });
    let hashed = 0;
    const flood = Array.from({ length: 16 }, async (_, n) => {
      await passwords.hash(`secret-${n}`);
      hashed++;
    });
    await readFile('package.json');
    expect(hashed).toBeLessThan(6);
    await Promise.all(flood);
    expect(hashed).toBe(16);
  });

  it('holds no connection: lists are returned while logins still wait', async () => {
    const api = await apiHarness({ settings: { passwordCost: DEAR } });
    try {
      const jane = await api.user();
      let answered = 0;
      const flood = Array.from({ length: 20 }, async (_, n) => {
        const { status } = await api.http
          .post('/api/auth/login')
          .type('form')
          .send({ username: n % 2 === 0 ? jane.email : `nobody-${n}@example.com`, password: 'wrong-password' });
        answered++;
        return status;
      });
      const before: number[] = [];
      for (let n = 0; n < 3; n++) {
        const list = await api.http.get('/api/deployments').set(jane.auth);
        expect(list.status).toBe(200);
        before.push(answered);
      }
      expect(before.at(-1)).toBeLessThan(20);
      expect(new Set(await Promise.all(flood))).toEqual(new Set([401]));
    } finally {
      await api.close();
    }
  });
});
