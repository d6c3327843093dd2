import { type Sent, toSent } from '@moorage/contracts';
import { ACCESS_MESSAGES, DomainError, MAIL_KIND_MESSAGES, MAIL_KIND_NAMES, MAIL_KINDS } from '@moorage/domain';
import { Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { usersRepository } from '../users-store/users.repository';
import type { Mail } from '@moorage/database';
import type { MailName } from '@moorage/texts/server';
import { MAIL_KIND_OF } from './mail-rules';
import { SealedLinks } from './sealed-links';

/** Addresses at which a user and a mail program unsubscribe. */
export interface UnsubscribeUrls {
  readonly page: string;
  readonly oneClick: string;
}

/** Disables emails of a kind by the link that each of them contains. */
@Injectable()
export class Unsubscribe {
  constructor(
    private readonly db: Db,
    private readonly links: SealedLinks,
    private readonly settings: ApiSettings,
  ) {}

  /** Returns null if emails of this kind cannot be disabled, or if the email is not for an account. */
  urlsOf({ user_id, template }: Pick<Mail, 'user_id' | 'template'>): UnsubscribeUrls | null {
    const kind = MAIL_KIND_OF[template as MailName];
    if (user_id === null || kind === null || !MAIL_KINDS[kind].canChange) return null;
    const token = this.links.token('unsubscribe', `${user_id}:${kind}`);
    const { publicUrl } = this.settings;
    return {
      page: `${publicUrl}/unsubscribe?token=${token}`,
      oneClick: `${publicUrl}/api/mails/unsubscribe?token=${token}`,
    };
  }

  async unsubscribe(token: string): Promise<Sent> {
    const [userId, name] = this.links.open('unsubscribe', token)?.split(':') ?? [];
    const kind = MAIL_KIND_NAMES.find((each) => each === name && MAIL_KINDS[each].canChange);
    if (kind === undefined) throw ended();
    return this.db.tx('mails.unsubscribe', async (tx) => {
      if (!(await usersRepository.setMailed(tx, Number(userId), { kind, isOn: false }))) throw ended();
      return toSent(ACCESS_MESSAGES.unsubscribed({ kind: MAIL_KIND_MESSAGES[kind] }));
    });
  }
}

const ended = (): DomainError => new DomainError('TOKEN_INVALID', ACCESS_MESSAGES.unsubscribe_ended);
