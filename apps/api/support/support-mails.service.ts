import type { SupportContext } from '@moorage/contracts';
import type { SupportMessage } from '@moorage/database';
import { DAY_MS, iso, type Language, LANGUAGES } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { MailFacts } from '@moorage/texts/server';
import { Injectable } from '@nestjs/common';
import { Mails } from '../mail/mails.service';
import { SealedLinks } from '../mail/sealed-links';
import { ApiSettings } from '../settings';
import { usersRepository } from '../users-store/users.repository';
import { contextOf } from './conversation-rows';

/** Maximum number of confirmations sent to an address within a day, because any address can be entered in the form. */
const CONFIRMATIONS_MAX = 3;

type StaffMail = 'support_message' | 'package_request' | 'support_reply' | 'support_due';

/** Emails of conversations, to customers and to support staff. */
@Injectable()
export class SupportMails {
  constructor(
    private readonly mails: Mails,
    private readonly links: SealedLinks,
    private readonly settings: ApiSettings,
  ) {}

  /** Confirms the message and states when it will be answered. A visitor may have entered another person's address. */
  async confirm(tx: Tx, row: SupportMessage): Promise<void> {
    const isOwnAddress = row.user_id !== null;
    if (!isOwnAddress && (await confirmedLately(tx, row)) > CONFIRMATIONS_MAX) return;
    await this.mails.post(tx, {
      cause: `conversation:${row.id}:received`,
      recipient: row.email,
      language: row.language,
      template: 'support_received',
      facts: {
        ...this.placeOf(row),
        subject: isOwnAddress ? row.subject : null,
        due_at: row.due_at === null ? null : iso(row.due_at),
      },
    });
  }

  /**
   * Emails a reply to the account's current address. A visitor may have entered another person's address, so the
   * subject they chose is not emailed there.
   */
  async answered(tx: Tx, row: SupportMessage, { entry, message }: { entry: number; message: string }): Promise<void> {
    const account = row.user_id === null ? null : await emailOf(tx, row.user_id);
    await this.mails.post(tx, {
      cause: `conversation:${row.id}:answer:${entry}`,
      recipient: account ?? row.email,
      language: row.language,
      template: 'support_answered',
      facts: { ...this.placeOf(row), subject: account === null ? null : row.subject, message },
    });
  }

  /** Emails the assignee of the conversation, or the support address if there is none. `message` is the new part. */
  async staff<N extends StaffMail>(
    tx: Tx,
    row: SupportMessage,
    { cause, template, message }: { cause: string; template: N; message: string },
  ): Promise<void> {
    const { recipient, language } = await this.recipientOf(tx, row);
    const facts: MailFacts[StaffMail] = {
      name: row.name,
      email: row.email,
      subject: row.subject,
      message,
      user_id: row.user_id,
      conversation_id: row.id,
      level: row.level,
      due_at: row.due_at === null ? null : iso(row.due_at),
      deployment:
        row.deployment_id === null || row.context === null
          ? null
          : { id: row.deployment_id, ...about(contextOf(row.context)) },
    };
    await this.mails.post(tx, { cause, recipient, language, template, facts });
  }

  /** Returns the place of the conversation. Visitors without an account get a private link. */
  private placeOf({ id, user_id }: SupportMessage): { conversation_id: number; token: string | null } {
    return { conversation_id: id, token: user_id === null ? this.links.token('conversation', String(id)) : null };
  }

  private async recipientOf(
    tx: Tx,
    { assignee_user_id }: SupportMessage,
  ): Promise<{ recipient: string; language: Language }> {
    const assignee = assignee_user_id === null ? null : await usersRepository.findStaff(tx, assignee_user_id);
    return assignee === null
      ? { recipient: this.settings.brand.supportEmail, language: LANGUAGES[0] }
      : { recipient: assignee.email, language: assignee.language };
  }
}

const about = ({ client_name, status }: SupportContext) => ({ client_name, status });

async function emailOf(tx: Tx, userId: number): Promise<string | null> {
  const user = await usersRepository.find(tx, userId, ['email'], { state: 'present' });
  return user?.email ?? null;
}

/** Counts the confirmations of the last day, including this one. */
async function confirmedLately(tx: Tx, { email, created_at }: SupportMessage): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    'select count(*)::int as count from support_messages where lower(email) = lower($1) and created_at > $2',
    [email, iso(created_at - DAY_MS)],
  );
  return row?.count ?? 0;
}
