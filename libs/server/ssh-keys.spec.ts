import { describe, expect, it } from '@jest/globals';
import ssh2 from 'ssh2';
import { systemRandom } from './random';
import { sshFingerprint, sshKeyPair } from './ssh-keys';

describe('SSH key pair', () => {
  it('can always be read again, and its halves match: 2000 of 2000', () => {
    for (let count = 0; count < 2_000; count++) {
      const pair = sshKeyPair(systemRandom());
      const parsed = ssh2.utils.parseKey(pair.privateKey);
      if (parsed instanceof Error) throw parsed;
      expect(parsed.getPublicSSH().toString('base64')).toBe(pair.publicKey.split(' ')[1]);
      const signature = parsed.sign('a text');
      if (signature instanceof Error) throw signature;
      expect(parsed.verify('a text', signature)).toBe(true);
    }
  });

  it('is derived from its seed (RFC 8032, test 1)', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const bytes = [seed, Buffer.from([1, 2, 3, 4])];
    const pair = sshKeyPair({ bytes: () => bytes.shift() as Buffer }, 'moorage-user-7');
    expect(pair.publicKey).toBe(
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea moorage-user-7',
    );
    // Output of ssh-keygen for this key.
    expect(pair.privateKey).toBe(`-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
QyNTUxOQAAACDXWpgBgrEKt9VL/tPJZAc6DuFy89qmIyWvAhpo9wdRGgAAAJgBAgMEAQID
BAAAAAtzc2gtZWQyNTUxOQAAACDXWpgBgrEKt9VL/tPJZAc6DuFy89qmIyWvAhpo9wdRGg
AAAECdYbGd7/1aYLqESvSS7CzEREnFaXsyaRlwO6wDHK5/YNdamAGCsQq31Uv+08lkBzoO
4XLz2qYjJa8CGmj3B1EaAAAADm1vb3JhZ2UtdXNlci03AQIDBAUGBw==
-----END OPENSSH PRIVATE KEY-----
`);
  });

  it('has a public line with and without a comment, of one key type', () => {
    expect(sshKeyPair(systemRandom()).publicKey).toMatch(/^ssh-ed25519 \S{68}$/);
    expect(sshKeyPair(systemRandom(), 'moorage-user-7').publicKey).toMatch(/^ssh-ed25519 \S{68} moorage-user-7$/);
  });

  it('is never generated twice', () => {
    expect(sshKeyPair(systemRandom()).fingerprint).not.toBe(sshKeyPair(systemRandom()).fingerprint);
  });

  it('has the fingerprint that ssh-keygen prints', () => {
    // Output of ssh-keygen -lf for this line.
    const key = 'AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
    expect(sshFingerprint(Buffer.from(key, 'base64'))).toBe('SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU');
  });
});
