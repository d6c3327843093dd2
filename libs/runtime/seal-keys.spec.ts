import { describe, expect, it } from '@jest/globals';
import { systemRandom } from '@moorage/server';
import { accountSealKeys } from './service';
import { parseSettings } from './read-settings';

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const ring = (SECRETS_KEYS: string, ACCOUNT_SECRETS_KEYS: string) =>
  accountSealKeys(parseSettings({ SECRETS_KEYS, ACCOUNT_SECRETS_KEYS }), systemRandom());

describe('account secret keys', () => {
  it('are those of their setting, including an old key of SECRETS_KEYS', async () => {
    const keys = await ring(`k1:${key(1)}`, `a1:${key(2)},k1:${key(1)}`);
    expect(keys.map(({ id }) => id)).toEqual(['a1', 'k1']);
  });

  it('do not begin with a key that the provisioner has', async () => {
    await expect(ring(`k2:${key(3)},k1:${key(1)}`, `a1:${key(1)}`)).rejects.toThrow(/^ACCOUNT_SECRETS_KEYS: begins/);
  });

  it('are not confused with another key of the same id', async () => {
    await expect(ring(`k1:${key(1)}`, `k1:${key(2)}`)).rejects.toThrow(/^ACCOUNT_SECRETS_KEYS: a key has the id/);
  });

  it('are named in the error if invalid', async () => {
    await expect(ring(`k1:${key(1)}`, 'a1:short')).rejects.toThrow(/^ACCOUNT_SECRETS_KEYS must be/);
  });
});
