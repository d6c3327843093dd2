import { type Day, DAY_MS, type Instant, iso } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { Mails } from '../mail/mails.service';
import { administrators } from './alert-mail.service';

interface SealRow {
  readonly day: Day;
  readonly accounts: number;
  readonly through_id: string;
  readonly hash: string;
  readonly sealed_at: Instant;
}

/** Maximum age of a seal to be emailed. Older ones were emailed already, or there was no recipient. */
const NEW_MS = 2 * DAY_MS;

@Injectable()
export class SealMail {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly mails: Mails,
  ) {}

  /**
   * Emails the newest seal of the ledger to administrators once, because an attacker who changes the tables cannot
   * change sent emails.
   */
  async run(): Promise<void> {
    await this.db.tx('alerts.seal', async (tx) => {
      const [seal] = await tx.query<SealRow>(
        `select day, accounts, through_id::text, encode(hash, 'hex') as hash, sealed_at from ledger_seals
           order by through_id desc limit 1`,
      );
      if (seal === undefined || seal.sealed_at < (await this.clock.now(tx)) - NEW_MS) return;
      const mailed = await tx.query(`select 1 from mails where cause like $1 limit 1`, [
        `books_sealed:${seal.through_id}:%`,
      ]);
      if (mailed.length > 0) return;
      for (const { id, email, language } of await administrators(tx))
        await this.mails.post(tx, {
          // One email per cause, even with two concurrent processes.
          cause: `books_sealed:${seal.through_id}:${id}`,
          recipient: email,
          language,
          template: 'books_sealed',
          facts: { ...seal, sealed_at: iso(seal.sealed_at) },
        });
    });
  }
}
