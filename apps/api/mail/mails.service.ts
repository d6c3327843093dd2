import { SEND_MAIL } from '@moorage/contracts';
import { Mail, type SealedFacts } from '@moorage/database';
import { DAY_MS, iso, type Language } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { Clock, SealBox, type Tx } from '@moorage/server';
import type { MailFacts, MailName } from '@moorage/texts/server';
import { Injectable } from '@nestjs/common';
import { usersRepository } from '../users-store/users.repository';
import { MAIL_KIND_OF, withoutChosen } from './mail-rules';

export interface NewMail<N extends MailName> {
  /** Cause of the email. The same cause is never emailed twice. */
  readonly cause: string;
  readonly recipient: string;
  /** Account of the recipient. Without an account there is nothing to unsubscribe from. */
  readonly userId?: number;
  readonly template: N;
  readonly facts: MailFacts[N];
  /** Language of the recipient. */
  readonly language: Language;
}

/**
 * Queues emails in the transaction that causes them. They are sent later as work, so that an unavailable mail server
 * delays nothing else.
 */
@Injectable()
export class Mails {
  constructor(
    private readonly clock: Clock,
    private readonly box: SealBox,
    private readonly work: WorkSchedule,
  ) {}

  async post<N extends MailName>(
    tx: Tx,
    { cause, recipient, userId, template, facts, language }: NewMail<N>,
  ): Promise<void> {
    const at = await this.clock.now(tx);
    // Addresses of operators and support come from the settings.
    const toUnconfirmed = MAIL_KIND_OF[template] !== null && !(await usersRepository.isEmailConfirmed(tx, recipient));
    const reported = toUnconfirmed ? withoutChosen(facts) : facts;
    const [row] = await tx.query<Pick<Mail, 'id'>>(
      `insert into mails (cause, recipient, user_id, template, facts, language, created_at, to_unconfirmed)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (cause) do nothing returning id`,
      [
        cause,
        recipient,
        userId ?? null,
        template,
        JSON.stringify(sealFacts(this.box, cause, JSON.stringify(reported))),
        language,
        iso(at),
        toUnconfirmed,
      ],
    );
    if (row !== undefined) await this.work.schedule(tx, { kind: SEND_MAIL, key: row.id, due_at: at });
  }
}

/** Seals the facts for their cause, because they contain link tokens. */
function sealFacts(box: SealBox, cause: string, text: string): SealedFacts {
  const { key_id, nonce, ciphertext } = box.seal(text, placeOf(cause));
  return { key_id, nonce: nonce.toString('base64'), ciphertext: ciphertext.toString('base64') };
}

export function openFacts(box: SealBox, { cause, facts }: { cause: string; facts: SealedFacts }): string {
  const { key_id, nonce, ciphertext } = facts;
  const sealed = { key_id, nonce: Buffer.from(nonce, 'base64'), ciphertext: Buffer.from(ciphertext, 'base64') };
  return box.open(sealed, placeOf(cause));
}

const placeOf = (cause: string): string => `mails/${cause}`;

/** Maximum age of an email. Older ones are not sent because their links have expired. */
export const MAIL_AGE_MS_MAX = 3 * DAY_MS;

/**
 * Re-seals up to `batch` unsent emails that are not under the newest key, because they could not be opened once the old
 * key is removed. Returns the number of remaining ones.
 */
export async function rotateMails(
  tx: Tx,
  { clock, box, batch }: { clock: Clock; box: SealBox; batch: number },
): Promise<number> {
  const params = [box.currentKeyId, iso((await clock.now(tx)) - MAIL_AGE_MS_MAX)];
  const rows = await tx.query<Pick<Mail, 'id' | 'cause' | 'facts'>>(
    `select id, cause, facts from mails where ${STALE} order by id limit $3 for update skip locked`,
    [...params, batch],
  );
  for (const row of rows) {
    const facts = sealFacts(box, row.cause, openFacts(box, row));
    await tx.repository(Mail).update({ id: row.id }, { facts });
  }
  const [left] = await tx.query<{ count: number }>(`select count(*)::int as count from mails where ${STALE}`, params);
  return left?.count ?? 0;
}

const STALE = `sent_at is null and facts ->> 'key_id' <> $1 and created_at >= $2`;
