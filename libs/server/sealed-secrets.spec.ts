import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { systemClock } from './clock';
import { systemRandom } from './random';
import { SealBox, Secrets, parseSealKeys } from './sealed-secrets';

const random = systemRandom();
const key = (id: string) => ({ id, key: random.bytes(32) });

describe('sealed secrets', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  it('are returned unchanged, and never stored in the clear', async () => {
    const db = await database.open({ service: 'api' });
    const secrets = new Secrets({
      box: new SealBox({ keys: [key('a')], random }),
      clock: systemClock(),
      kinds: ['deployment', 'user'],
    });
    await db.tx('put', (tx) => secrets.put(tx, 'deployment:1', 'admin_password', 'canary-4711-Ä'));
    expect(await db.tx('get', (tx) => secrets.get(tx, 'deployment:1', 'admin_password'))).toBe('canary-4711-Ä');
    expect(await db.tx('get', (tx) => secrets.get(tx, 'deployment:2', 'admin_password'))).toBeNull();
    const [row] = await database.sql<{ dump: string }>('select secrets::text as dump from secrets');
    expect(row?.dump).not.toContain('canary');
    expect(row?.dump).not.toContain(Buffer.from('canary').toString('hex'));
  });

  it('do not open in another row, nor after a change of one bit', async () => {
    const box = new SealBox({ keys: [key('a')], random });
    const sealed = box.seal('hush', 'secrets/deployment:1/x');
    expect(() => box.open(sealed, 'secrets/deployment:2/x')).toThrow();
    const bent = Buffer.from(sealed.ciphertext);
    bent[0] = (bent[0] ?? 0) ^ 1;
    expect(() => box.open({ ...sealed, ciphertext: bent }, 'secrets/deployment:1/x')).toThrow();
  });

  it('are all readable after a rotation without the old key', async () => {
    const db = await database.open({ service: 'api' });
    await database.sql('delete from secrets');
    const old = key('old');
    const fresh = key('new');
    const secretsWith = (keys: (typeof old)[]) =>
      new Secrets({ box: new SealBox({ keys, random }), clock: systemClock(), kinds: ['deployment', 'user'] });
    for (let i = 0; i < 5; i++) await db.tx('put', (tx) => secretsWith([old]).put(tx, `user:${i}`, 'k', `value ${i}`));
    let left = 5;
    while (left > 0) left = await db.tx('rotate', (tx) => secretsWith([fresh, old]).rotate(tx, 2));
    for (let i = 0; i < 5; i++) {
      expect(await db.tx('get', (tx) => secretsWith([fresh]).get(tx, `user:${i}`, 'k'))).toBe(`value ${i}`);
    }
  });

  it('reject an invalid key ring', () => {
    for (const text of [
      '',
      'a',
      'a:short',
      `A B:${Buffer.alloc(32).toString('base64')}`,
      `a:${Buffer.alloc(31).toString('base64')}`,
    ]) {
      expect(() => parseSealKeys(text)).toThrow(/SECRETS_KEYS/);
    }
    expect(parseSealKeys(`a:${Buffer.alloc(32).toString('base64')}`)).toHaveLength(1);
  });
});
