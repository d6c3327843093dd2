import { describe, expect, it } from '@jest/globals';
import { checkPublicKeyLine } from '@moorage/domain';
import ssh2 from 'ssh2';
import { fingerprintOfLine, newKeyPair } from './keys';

describe('a key pair', () => {
  it('can always be read again, and its halves belong together: 2000 of 2000', () => {
    for (let count = 0; count < 2_000; count++) {
      const pair = newKeyPair();
      const parsed = ssh2.utils.parseKey(pair.privateKey);
      if (parsed instanceof Error) throw parsed;
      expect(parsed.getPublicSSH().toString('base64')).toBe(pair.publicKey.split(' ')[1]);
      const signature = parsed.sign('a text');
      if (signature instanceof Error) throw signature;
      expect(parsed.verify('a text', signature)).toBe(true);
    }
  });

  it('is a key line that the product accepts, with a comment behind it', () => {
    const { publicKey, fingerprint } = newKeyPair();
    expect(checkPublicKeyLine(`${publicKey} moorage-user-7`)).toBeNull();
    expect(fingerprintOfLine(`${publicKey} moorage-user-7`)).toBe(fingerprint);
  });

  it('two are never the same', () => {
    expect(newKeyPair().fingerprint).not.toBe(newKeyPair().fingerprint);
  });

  it('a fingerprint is what ssh-keygen prints', () => {
    // ssh-keygen -lf of this line
    const line = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
    expect(fingerprintOfLine(line)).toBe('SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU');
  });
});
