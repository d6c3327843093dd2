import { Alerts, isInstalledBefore, OperatorAlert, type User } from '@moorage/database';
import { type AlertKind, DAY_MS, HOUR_MS, type Instant, iso, MINUTE_MS } from '@moorage/domain';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { MAIL_AGE_MS_MAX, Mails } from '../mail/mails.service';
import { usersRepository } from '../users-store/users.repository';

/** Minimum interval between two emails about the same kind of alert, repeated daily while the alert is open. */
const MAILED_EVERY_MS = DAY_MS;
const LISTED = 20;
const RECIPIENTS_MAX = 50;
const MAIL_UNSENT_MS = HOUR_MS;
/** Three missed checks in a row. */
export const WATCH_LATE_MS = 15 * MINUTE_MS;
const RETENTION_MS = 90 * DAY_MS;
const CLEAN_BATCH = 1_000;

@Injectable()
export class AlertMail {
  private readonly startedAt: Instant;

  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly alerts: Alerts,
    private readonly mails: Mails,
  ) {
    this.startedAt = clock.localNow();
  }

  /** Runs the checks that only the api can make, then emails the open kinds that were not emailed for a day. */
  async run(): Promise<void> {
    await this.db.tx('alerts.read', (tx) => this.check(tx));
    await this.db.tx('alerts.mail', async (tx) => {
      // Two concurrent processes would each send the same email.
      if (!(await alone(tx))) return;
      const now = await this.clock.now(tx);
      const kinds = await tx.query<{ kind: AlertKind }>(DUE, [iso(now - MAILED_EVERY_MS)]);
      if (kinds.length === 0) return;
      const recipients = await administrators(tx);
      if (recipients.length === 0) return this.log.error('alert email not sent: no verified administrator');
      for (const { kind } of kinds) {
        const { listed, more } = await openOf(tx, kind);
        for (const { id, email, language } of recipients) {
          await this.mails.post(tx, {
            cause: `alert:${kind}:${iso(now)}:${id}`,
            recipient: email,
            language,
            template: 'operator_alert',
            facts: { kind, alerts: listed, more },
          });
        }
        await tx.repository(OperatorAlert).update({ kind, resolved_at: IsNull() }, { mailed_at: now });
      }
    });
  }

  /** Removes alerts that were resolved long ago. */
  async clean(): Promise<void> {
    await this.db.tx('alerts.clean', async (tx) =>
      tx.execute(
        `delete from operator_alerts where (kind, subject) in (
             select kind, subject from operator_alerts where resolved_at < $1 order by resolved_at limit $2
           ) and resolved_at is not null`,
        [iso((await this.clock.now(tx)) - RETENTION_MS), CLEAN_BATCH],
      ),
    );
  }

  /** Checks for unsent emails, which only the api may read, and whether billing still runs its checks. */
  private async check(tx: Tx): Promise<void> {
    const now = await this.clock.now(tx);
    const [unsent] = await tx.query<{ count: number; oldest: Instant | null }>(
      // A visitor chooses the recipient, so an email that waits for its recipient proves nothing about the mail server.
      `select count(*)::int as count, min(created_at) as oldest from mails
         where sent_at is null and given_up_at is null and waits_for = 'server' and created_at between $1 and $2`,
      [iso(now - MAIL_AGE_MS_MAX), iso(now - MAIL_UNSENT_MS)],
    );
    const { count = 0, oldest = null } = unsent ?? {};
    await this.alerts.report(tx, 'mail_unsent', oldest === null ? [] : [{ facts: { count, oldest: iso(oldest) } }]);
    // When both are started together after an outage, billing has not run its checks yet.
    if (!(await isWatchLate(tx, this.alerts, now))) await this.alerts.report(tx, 'watch_late', []);
    else if (this.clock.localNow() - this.startedAt >= WATCH_LATE_MS) await this.alerts.report(tx, 'watch_late', [{}]);
  }
}

/** Returns true if billing's checks have not run for a while, or never in an installation that is no longer new. */
export async function isWatchLate(tx: Tx, alerts: Alerts, now: Instant): Promise<boolean> {
  const ran = await alerts.lastRun(tx, 'watch');
  if (ran !== null) return ran < now - WATCH_LATE_MS;
  return isInstalledBefore(tx, now - WATCH_LATE_MS);
}

/** Kinds with an open alert for which no email was sent recently, not even about an alert that was resolved since. */
const DUE = `
select kind from operator_alerts group by kind
having bool_or(resolved_at is null) and coalesce(max(mailed_at), '-infinity') <= $1
order by kind`;

async function alone(tx: Tx): Promise<boolean> {
  const [lock] = await tx.query<{ got: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('moorage.alerts', 0)) as got`,
  );
  return lock?.got === true;
}

/** Returns the recipients of emails for operators. */
export function administrators(tx: Tx): Promise<Pick<User, 'id' | 'email' | 'language'>[]> {
  return usersRepository.staff(tx, RECIPIENTS_MAX);
}

async function openOf(tx: Tx, kind: AlertKind): Promise<{ listed: ListedAlert[]; more: number }> {
  const rows = await tx.query<Pick<OperatorAlert, 'subject' | 'facts' | 'first_seen_at'> & { total: number }>(
    `select subject, facts, first_seen_at, count(*) over ()::int as total from operator_alerts
     where kind = $1 and resolved_at is null order by first_seen_at, subject limit $2`,
    [kind, LISTED],
  );
  const listed = rows.map(({ subject, facts, first_seen_at }) => ({ subject, facts, since: iso(first_seen_at) }));
  return { listed, more: (rows[0]?.total ?? 0) - rows.length };
}

export interface ListedAlert {
  readonly subject: string;
  readonly facts: OperatorAlert['facts'];
  readonly since: string;
}
