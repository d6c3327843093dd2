import { iso, MINUTE_MS } from '@moorage/domain';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

/** Deployments that one pass looks at. The others follow in the next minute. */
const PER_PASS = 50;
/** Time after which a deployment is looked at again within its window. */
export const AGAIN_MS = 5 * MINUTE_MS;

/** Columns of `update_settings` with the time at which to look at a deployment: for updates, or for a planned reboot. */
type DueColumn = 'due_at' | 'reboot_due_at';

/** Passes over the deployments for which something is due in their windows. */
@Injectable()
export class DueSettings {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Calls `lookAt` for each deployment that is due, in a transaction of its own. After an error, the deployment is looked
   * at again later, so that others get their turn.
   */
  async each(column: DueColumn, lookAt: (tx: Tx, id: number) => Promise<void>): Promise<void> {
    const due = await this.db.tx(`update-settings.${column}`, async (tx) =>
      tx.query<{ deployment_id: number }>(
        `select deployment_id from update_settings where ${column} <= $1 order by ${column} limit ${PER_PASS}`,
        [iso(await this.clock.now(tx))],
      ),
    );
    for (const { deployment_id: id } of due) {
      try {
        await this.db.tx(`update-settings.${column}.one`, (tx) => lookAt(tx, id));
      } catch (error) {
        this.log.error('a deployment could not be looked at in its window', {
          deployment_id: id,
          due: column,
          reason: error instanceof Error ? error.message : String(error),
        });
        await this.db.tx(`update-settings.${column}.postpone`, (tx) => this.postpone(tx, column, id));
      }
    }
  }

  private async postpone(tx: Tx, column: DueColumn, id: number): Promise<void> {
    const again = (await this.clock.now(tx)) + AGAIN_MS;
    await tx.execute(`update update_settings set ${column} = $2 where deployment_id = $1 and ${column} is not null`, [
      id,
      iso(again),
    ]);
  }
}
