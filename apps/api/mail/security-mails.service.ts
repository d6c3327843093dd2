import { type Instant, reactivatedUsername } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import type { MailFacts } from '@moorage/texts/server';
import { Injectable } from '@nestjs/common';
import { usersRepository } from '../users-store/users.repository';
import { Mails } from './mails.service';

type SecurityMail =
  | 'password_changed'
  | 'email_changed'
  | 'two_factor_on'
  | 'two_factor_off'
  | 'recovery_code_used'
  | 'recovery_codes_renewed'
  | 'support_acted'
  | 'code_refused'
  | 'api_token_made'
  | 'api_token_network'
  | 'account_deactivated'
  | 'account_reactivated'
  | 'administrator_on'
  | 'administrator_off'
  | 'deployments_removed'
  | 'automatic_top_up_changed'
  | 'automatic_top_up_cap'
  | 'card_saved';

/** Emails the owner of an account what was done with it, because someone else may have done it. */
@Injectable()
export class SecurityMails {
  constructor(private readonly mails: Mails) {}

  async post<N extends SecurityMail>(
    tx: Tx,
    {
      userId,
      template,
      facts,
      at,
    }: { userId: number; template: N; facts: Omit<MailFacts[N], 'username'>; at: Instant },
  ): Promise<void> {
    const user = await usersRepository.find(tx, userId, ['username', 'email', 'language']);
    if (user === null) return;
    await this.mails.post(tx, {
      cause: `${template}:${userId}:${at}`,
      recipient: user.email,
      language: user.language,
      template,
      // Users of a deactivated account are addressed by the name they know.
      facts: { username: reactivatedUsername(userId, user.username), ...facts } as unknown as MailFacts[N],
    });
  }
}
