import { type DataExportAnswer, EXPORT_DATA } from '@moorage/contracts';
import { auditLog, type DataExport, visibleTo } from '@moorage/database';
import { CONSTANTS, DomainError, HOUR_MS, type Instant, iso, OWN_ACCOUNT_MESSAGES } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';

/**
 * Time after which an export that is still being prepared has failed, regardless of its work. The handler and the
 * owner's calls both give it up, so that no row prevents its owner from requesting another export.
 */
export const PREPARING_MS_MAX = HOUR_MS;

const LISTED_MAX = 50;

type ExportRow = Pick<DataExport, 'id' | 'state' | 'created_at' | 'ready_at'> & { readonly size_bytes: number | null };
const COLUMNS = 'id, state, created_at, ready_at, octet_length(content) as size_bytes';

/** Exports of a user's own data, requested here and prepared by `PrepareExport`. */
@Injectable()
export class DataExports {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly work: WorkSchedule,
  ) {}

  list(caller: Caller): Promise<DataExportAnswer[]> {
    return this.db.tx('account.exports', async (tx) => {
      const at = await this.clock.now(tx);
      await giveUpOverdue(tx, { userId: caller.userId, at });
      const own = visibleTo(caller, { column: 'user_id', firstParameter: 2, ownOnly: true });
      const rows = await tx.query<ExportRow>(
        `select ${COLUMNS} from data_exports where created_at > $1 and ${own.sql} order by id desc limit ${LISTED_MAX}`,
        [iso(at - CONSTANTS.dataExportRetentionMs), ...own.params],
      );
      return rows.map(answer);
    });
  }

  request({ userId }: Caller): Promise<DataExportAnswer> {
    return this.db.tx('account.ask-export', async (tx) => {
      const at = await this.clock.now(tx);
      await giveUpOverdue(tx, { userId, at });
      // The index admits only one of two concurrent requests.
      const [row] = await tx.query<ExportRow>(
        `insert into data_exports (user_id, state, created_at) values ($1, 'preparing', $2)
         on conflict (user_id) where state = 'preparing' do nothing returning ${COLUMNS}`,
        [userId, iso(at)],
      );
      if (row === undefined) throw new DomainError('ACCOUNT_STATE', OWN_ACCOUNT_MESSAGES.export_running);
      await this.work.schedule(tx, { kind: EXPORT_DATA, key: String(row.id), due_at: at });
      const act = { action: 'account.export_requested', subject: `user:${userId}` } as const;
      await auditLog.record(tx, { actor: userId, ...act, facts: {}, at });
      return answer(row);
    });
  }

  /** Returns the archive. Throws the same NOT_FOUND for an export that does not exist or belongs to another user. */
  file(caller: Caller, id: number): Promise<Buffer> {
    return this.db.tx('account.export-file', async (tx) => {
      const at = await this.clock.now(tx);
      await giveUpOverdue(tx, { userId: caller.userId, at });
      const own = visibleTo(caller, { column: 'user_id', firstParameter: 2, ownOnly: true });
      const [row] = await tx.query<Pick<DataExport, 'state' | 'content' | 'created_at'>>(
        `select state, content, created_at from data_exports where id = $1 and ${own.sql}`,
        [id, ...own.params],
      );
      if (row === undefined) throw new DomainError('NOT_FOUND', OWN_ACCOUNT_MESSAGES.export_unknown);
      const { state, content, created_at } = row;
      if (endOf(created_at) <= at) throw new DomainError('ACCOUNT_STATE', OWN_ACCOUNT_MESSAGES.export_ended);
      if (state === 'preparing') throw new DomainError('ACCOUNT_STATE', OWN_ACCOUNT_MESSAGES.export_not_ready);
      if (content === null) throw new DomainError('ACCOUNT_STATE', OWN_ACCOUNT_MESSAGES.export_failed);
      return content;
    });
  }
}

/** Returns the end of an export. Retention removes the row at the same age. */
const endOf = (createdAt: Instant): Instant => createdAt + CONSTANTS.dataExportRetentionMs;

async function giveUpOverdue(tx: Tx, { userId, at }: { userId: number; at: Instant }): Promise<void> {
  await tx.execute(
    `update data_exports set state = 'failed' where user_id = $1 and state = 'preparing' and created_at <= $2`,
    [userId, iso(at - PREPARING_MS_MAX)],
  );
}

function answer({ id, state, created_at, ready_at, size_bytes }: ExportRow): DataExportAnswer {
  return {
    id,
    state,
    created_at: iso(created_at),
    ready_at: ready_at === null ? null : iso(ready_at),
    expires_at: iso(endOf(created_at)),
    size_bytes,
  };
}
