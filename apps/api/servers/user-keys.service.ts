import { SSH_PRIVATE_KEY, SSH_PUBLIC_KEY, userSecrets } from '@moorage/contracts';
import { userKeyComment } from '@moorage/domain';
import { Random, Secrets, sshKeyPair, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { usersRepository } from '../users-store/users.repository';

/** Key pair with which the platform connects to a user's own servers. */
@Injectable()
export class UserKeys {
  constructor(
    private readonly random: Random,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Returns the user's public key line (`ssh-ed25519 AAAA... moorage-user-7`). Creates and seals the pair if there is
   * none.
   */
  async publicKey(tx: Tx, userId: number): Promise<string> {
    const owner = userSecrets(userId);
    const known = await this.secrets.get(tx, owner, SSH_PUBLIC_KEY);
    if (known !== null) return known;
    // The second of two concurrent first requests waits here, then finds the pair of the first.
    await usersRepository.exists(tx, userId, { lock: 'for no key update' });
    const created = await this.secrets.get(tx, owner, SSH_PUBLIC_KEY);
    if (created !== null) return created;
    const pair = sshKeyPair(this.random, userKeyComment(userId));
    await this.secrets.put(tx, owner, SSH_PRIVATE_KEY, pair.privateKey);
    await this.secrets.put(tx, owner, SSH_PUBLIC_KEY, pair.publicKey);
    return pair.publicKey;
  }
}
