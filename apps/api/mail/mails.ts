import { iso } from '@moorage/domain';
import type { WorkSchedule } from '@moorage/messaging';
import type { Clock, SealBox, Tx } from '@moorage/server';
import type { MailFacts, MailName } from './texts';

export const SEND_MAIL = 'send-mail';

export interface NewMail<N extends MailName> {
  /** What caused it; the same cause never mails twice. */
  readonly cause: string;
  readonly recipient: string;
  readonly template: N;
  readonly facts: MailFacts[N];
}

/** A mail is written down in the transaction that wants it and sent by work, later: a mail server that is down stops nobody. */
export interface Mails {
  post<N extends MailName>(tx: Tx, mail: NewMail<N>): Promise<void>;
}

export interface SealedFacts {
  readonly key_id: string;
  readonly nonce: string;
  readonly ciphertext: string;
}

export function createMails({ clock, box, work }: { clock: Clock; box: SealBox; work: WorkSchedule }): Mails {
  return {
    async post(tx, { cause, recipient, template, facts }) {
      const at = await clock.now(tx);
      // sealed for its cause: facts hold link tokens
      const sealed = box.seal(JSON.stringify(facts), placeOf(cause));
      const stored: SealedFacts = {
        key_id: sealed.key_id,
        nonce: sealed.nonce.toString('base64'),
        ciphertext: sealed.ciphertext.toString('base64'),
      };
      const [row] = await tx.query<{ id: string }>(
        `insert into mails (cause, recipient, template, facts, created_at) values ($1, $2, $3, $4, $5)
         on conflict (cause) do nothing returning id`,
        [cause, recipient, template, JSON.stringify(stored), iso(at)],
      );
      if (row !== undefined) await work.schedule(tx, { kind: SEND_MAIL, key: row.id, due_at: at });
    },
  };
}

export function placeOf(cause: string): string {
  return `mails/${cause}`;
}
