import type { PackageFacts, ReleaseFacts } from '@moorage/contracts';
import { type RolloutRow, rolloutOf, rollouts } from '@moorage/database';
import { bucketOf, isRolledOut, type ReleaseDecisions, type Rollout } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { usersRepository } from '../users-store/users.repository';

export type Offers = ReleaseDecisions<ReleaseFacts>;

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
    const owner = await usersRepository.find(tx, userId, ['is_admin']);
    const isAdministrators = owner?.is_admin ?? false;
    const decided = decisions(rows, facts);
    return (ref) => ({
      isOffered: (release) =>
        isRolledOut(decided(release), {
          isAdministrators,
          bucket: ref === null ? null : bucketOf(`${ref} ${release.version}`),
        }),
      isWithdrawn: (release) => decided(release).state === 'withdrawn',
    });
  }

  /** Returns which releases of a package were withdrawn, which is the same for every deployment. */
  async withdrawn(tx: Tx, facts: PackageFacts | null): Promise<Offers['isWithdrawn']> {
    if (facts === null) return () => false;
    const decided = decisions(await rollouts(tx, facts.name), facts);
    return (release) => decided(release).state === 'withdrawn';
  }
}

const decisions =
  (rows: readonly RolloutRow[], { name, releases }: PackageFacts) =>
  (release: ReleaseFacts): Rollout =>
    rolloutOf(rows, { package: name, version: release.version, isFirst: release === releases[0] });
