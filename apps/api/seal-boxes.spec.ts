import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACCOUNT_SECRETS, SHARED_SECRETS, userTwoFactor } from '@moorage/contracts';
import { parseSettings } from '@moorage/runtime';
import { AccountSecrets, SealBox, Secrets, type Db, parseSealKeys, systemClock, systemRandom } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { SealedLinks } from './mail/sealed-links';
import { openSealBoxes, resealAccounts } from './seal-boxes';

const random = systemRandom();
const clock = systemClock();
const ring = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const settings = parseSettings({ SECRETS_KEYS: ring('k1', 1), ACCOUNT_SECRETS_KEYS: ring('a1', 2) });
/** Box with the keys of the provisioner. */
const ofProvisioner = new SealBox({ keys: parseSealKeys(ring('k1', 1)), random });

describe('secrets sealed for accounts', () => {
  let database: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await testDatabase();
    db = await database.open({ service: 'api' });
  });
  afterAll(() => database.drop());

  it('are opened with the previous key and resealed with one the provisioner does not hold', async () => {
    const before = new AccountSecrets({ box: ofProvisioner, clock, kinds: ACCOUNT_SECRETS });
    const shared = new Secrets({ box: ofProvisioner, clock, kinds: SHARED_SECRETS });
    await db.tx('test.put', async (tx) => {
      for (let id = 1; id <= 3; id++) await before.put(tx, userTwoFactor(id), 'totp_secret', `secret of ${id}`);
      await shared.put(tx, 'user:1', 'ssh_private_key', 'key');
    });
    const { account } = await openSealBoxes(settings, random);
    await resealAccounts(db, { box: account, clock });
    await resealAccounts(db, { box: account, clock });
    expect(await database.sql('select owner, key_id from secrets order by owner')).toEqual([
      { owner: 'two_factor:1', key_id: 'a1' },
      { owner: 'two_factor:2', key_id: 'a1' },
      { owner: 'two_factor:3', key_id: 'a1' },
      { owner: 'user:1', key_id: 'k1' },
    ]);
    const secrets = new AccountSecrets({ box: account, clock, kinds: ACCOUNT_SECRETS });
    const read = (from: typeof secrets) => db.tx('test.get', (tx) => from.get(tx, userTwoFactor(2), 'totp_secret'));
    expect(await read(secrets)).toBe('secret of 2');
    await expect(read(before)).rejects.toThrow('a secret is encrypted with the key "a1"');
  });

  it('include links, which the provisioner cannot create', async () => {
    const { links } = await openSealBoxes(settings, random);
    const forged = new SealedLinks(ofProvisioner).token('conversation', '7');
    expect(new SealedLinks(links).open('conversation', forged)).toBeNull();
    expect(new SealedLinks(links).open('conversation', new SealedLinks(links).token('conversation', '7'))).toBe('7');
  });
});
