import { describe, expect, it } from '@jest/globals';
import { utils } from 'ssh2';
import { NOBODYS_KEY } from './dummy-ssh-key';

const P = 2n ** 255n - 19n;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base % P, left = exponent; left > 0n; square = (square * square) % P, left /= 2n) {
    if (left % 2n === 1n) result = (result * square) % P;
  }
  return result;
}

describe('dummy SSH key', () => {
  it('is in the SSH key format', () => {
    const parsed = utils.parseKey(NOBODYS_KEY.publicKey);
    expect(parsed).toMatchObject({ type: 'ssh-ed25519' });
    expect(NOBODYS_KEY.fingerprint).toMatch(/^([0-9a-f]{2}:){15}[0-9a-f]{2}$/);
  });

  it('is a point of the curve, which providers that validate it accept', () => {
    const bytes = Buffer.from(NOBODYS_KEY.publicKey.split(' ')[1] ?? '', 'base64').subarray(-32);
    const y = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & (2n ** 255n - 1n);
    // According to RFC 8032, 5.1.3, x squared is (y² - 1) / (d y² + 1), and such an x must exist.
    const d = ((P - 121665n) * power(121666n, P - 2n)) % P;
    const square = ((y * y - 1n) * power(d * y * y + 1n, P - 2n)) % P;
    expect(y < P).toBe(true);
    expect(power(square, (P - 1n) / 2n)).toBe(1n);
  });
});
