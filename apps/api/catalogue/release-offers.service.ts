import type { PackageFacts, ReleaseFacts } from '@moorage/contracts';
import { rolloutOf, rollouts } from '@moorage/database';
import { bucketOf, isRolledOut } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

export type IsOffered = (release: ReleaseFacts) => boolean;

/** Decides which releases a deployment may get, by what administrators have decided about them. */
@Injectable()
export class ReleaseOffers {
  /** `ref` is that of the deployment, or null for a new one. */
  async of(tx: Tx, facts: PackageFacts, { userId, ref }: { userId: number; ref: string | null }): Promise<IsOffered> {
    const rows = await rollouts(tx, facts.name);
    const [owner] = await tx.query<{ is_admin: boolean }>('select is_admin from users where id = $1', [userId]);
    return ({ version }) =>
      isRolledOut(rolloutOf(rows, { package: facts.name, version, isFirst: version === facts.releases[0]?.version }), {
        isAdministrators: owner?.is_admin ?? false,
        bucket: ref === null ? null : bucketOf(`${ref} ${version}`),
      });
  }

  /** Returns whether a release was withdrawn. */
  async isWithdrawn(tx: Tx, { package: name, version }: { package: string; version: string }): Promise<boolean> {
    const row = (await rollouts(tx, name)).find((each) => each.version === version);
    return row?.state === 'withdrawn';
  }
}
