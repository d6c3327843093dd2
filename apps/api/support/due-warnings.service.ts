import { SupportMessage } from '@moorage/database';
import { iso } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { findConversation } from './conversation-rows';
import { SupportHints } from './support-hints.service';
import { SupportMails } from './support-mails.service';

const BATCH = 50;
/** Maximum number of batches per call. The rest is handled by the next call. */
const BATCHES_MAX = 20;

const NEXT = `
select id from support_messages where warn_at <= $1 order by warn_at limit ${BATCH} for no key update skip locked`;

/** Warns the assignee of a conversation once that its reply will soon be due. */
@Injectable()
export class DueWarnings {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly mails: SupportMails,
    private readonly hints: SupportHints,
  ) {}

  async run(): Promise<void> {
    for (let batch = 0; batch < BATCHES_MAX; batch++) if ((await this.warn()) < BATCH) return;
  }

  private warn(): Promise<number> {
    return this.db.tx('support.warn', async (tx) => {
      const at = await this.clock.now(tx);
      const rows = await tx.query<{ id: number }>(NEXT, [iso(at)]);
      for (const { id } of rows) {
        const row = await findConversation(tx, { id });
        await tx.repository(SupportMessage).update({ id }, { warn_at: null });
        if (row.due_at === null) continue;
        await this.mails.staff(tx, row, {
          cause: `conversation:${id}:due:${iso(row.due_at)}`,
          template: 'support_due',
          message: row.message,
        });
        this.hints.send(tx, { row, at });
      }
      return rows.length;
    });
  }
}
