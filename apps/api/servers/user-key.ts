import { SSH_PRIVATE_KEY, SSH_PUBLIC_KEY, userSecrets } from '@moorage/contracts';
import { userKeyComment } from '@moorage/domain';
import { type Random, type Secrets, sshKeyPair, type Tx } from '@moorage/server';

export interface UserKeys {
  /** The public key line of a user (`ssh-ed25519 AAAA... moorage-user-7`); its pair is made and sealed when there is none yet. */
  publicKey(tx: Tx, userId: number): Promise<string>;
}

export function createUserKeys({ random, secrets }: { random: Random; secrets: Secrets }): UserKeys {
  return {
    async publicKey(tx, userId) {
      const owner = userSecrets(userId);
      const known = await secrets.get(tx, owner, SSH_PUBLIC_KEY);
      if (known !== null) return known;
      // two first requests at once: the second waits here and then finds the pair of the first
      await tx.query('select id from users where id = $1 for no key update', [userId]);
      const made = await secrets.get(tx, owner, SSH_PUBLIC_KEY);
      if (made !== null) return made;
      const pair = sshKeyPair(random, userKeyComment(userId));
      await secrets.put(tx, owner, SSH_PRIVATE_KEY, pair.privateKey);
      await secrets.put(tx, owner, SSH_PUBLIC_KEY, pair.publicKey);
      return pair.publicKey;
    },
  };
}
