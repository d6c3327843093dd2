import type { PackageFacts, ReleaseFacts } from '@moorage/contracts';
import { rolloutOf, rollouts } from '@moorage/database';
import { bucketOf, isRolledOut } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

/** Decisions of administrators about the releases of a package, as they affect one deployment. */
export interface Offers {
  readonly isOffered: (release: ReleaseFacts) => boolean;
  readonly isWithdrawn: (release: ReleaseFacts) => boolean;
}

/** Determines which releases a deployment may get. */
@Injectable()
export class ReleaseOffers {
  /** `ref` is that of the deployment, or null for a new one. */
  async of(tx: Tx, facts: PackageFacts, { userId, ref }: { userId: number; ref: string | null }): Promise<Offers> {
    return (await this.ofOwner(tx, facts, userId))(ref);
  }

  /** Returns the decisions as a function of the deployment, for several deployments of an owner. */
  async ofOwner(tx: Tx, facts: PackageFacts, userId: number): Promise<(ref: string | null) => Offers> {
    const rows = await rollouts(tx, facts.name);
    const [owner] = await tx.query<{ is_admin: boolean }>('select is_admin from users where id = $1', [userId]);
    const isAdministrators = owner?.is_admin ?? false;
    const decided = (release: ReleaseFacts) =>
      rolloutOf(rows, { package: facts.name, version: release.version, isFirst: release === facts.releases[0] });
    return (ref) => ({
      isOffered: (release) =>
        isRolledOut(decided(release), {
          isAdministrators,
          bucket: ref === null ? null : bucketOf(`${ref} ${release.version}`),
        }),
      isWithdrawn: (release) => decided(release).state === 'withdrawn',
    });
  }
}
