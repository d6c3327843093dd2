import type { ConversationAnswer, ConversationBrief, SupportDesk } from '@moorage/contracts';
import { SupportMessage } from '@moorage/database';
import { CONSTANTS, DomainError, isVisitorLinkOpen, RESPONSE_TIMES, SUPPORT_MESSAGES } from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { type NumberedPage, numberedPage } from '../http/numbered-page';
import { SealedLinks } from '../mail/sealed-links';
import { ApiSettings } from '../settings';
import {
  addEntry,
  closeConversation,
  conversationAnswer,
  conversationBrief,
  findConversation,
  isRepeat,
  waiting,
  type NewMessage,
} from './conversation-rows';
import { SupportHints } from './support-hints.service';
import { supportLevelOf } from './support-level-of';
import { SupportMails } from './support-mails.service';

/** Conversations for the customers who started them. */
@Injectable()
export class Conversations {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly links: SealedLinks,
    private readonly mails: SupportMails,
    private readonly hints: SupportHints,
    private readonly settings: ApiSettings,
  ) {}

  desk({ userId }: Caller): Promise<SupportDesk> {
    return this.db.tx('support.desk', async (tx) => {
      const level = await supportLevelOf(tx, { userId, deploymentId: null });
      const promise = RESPONSE_TIMES[level];
      const { hours, hoursText, phone, manager } = this.settings.support;
      return {
        level,
        answered_within_hours: promise?.hours ?? null,
        counts_working_days_only: promise?.counted === 'working_days',
        hours: hoursText,
        time_zone: hours.zone,
        phone: level === 3 ? phone : null,
        success_manager: level === 3 ? manager : null,
      };
    });
  }

  list({ userId }: Caller, page: number): Promise<{ conversations: ConversationBrief[] } & NumberedPage> {
    return this.db.tx('support.conversations', async (tx) => {
      const perPage = CONSTANTS.conversationsPerPage;
      const [rows, total] = await tx.repository(SupportMessage).findAndCount({
        where: { user_id: userId },
        order: { last_at: 'desc', id: 'desc' },
        take: perPage,
        skip: (page - 1) * perPage,
      });
      return { conversations: rows.map(conversationBrief), ...numberedPage({ page, perPage, total }) };
    });
  }

  read({ userId }: Caller, id: number): Promise<ConversationAnswer> {
    return this.db.tx('support.conversation', async (tx) =>
      conversationAnswer(tx, await findConversation(tx, { id, userId })),
    );
  }

  reply({ userId }: Caller, id: number, written: NewMessage): Promise<ConversationAnswer> {
    return this.db.tx('support.reply', async (tx) =>
      this.post(tx, await findConversation(tx, { id, userId, lock: true }), { ...written, userId }),
    );
  }

  close({ userId }: Caller, id: number): Promise<ConversationAnswer> {
    return this.db.tx('support.close', async (tx) => {
      const row = await findConversation(tx, { id, userId, lock: true });
      const at = await this.clock.now(tx);
      await closeConversation(tx, row, { by: 'person', userId, at });
      this.hints.send(tx, { row, at });
      return conversationAnswer(tx, await findConversation(tx, { id, userId }));
    });
  }

  visit(token: string): Promise<ConversationAnswer> {
    return this.db.tx('support.visit', async (tx) => conversationAnswer(tx, await this.visited(tx, token)));
  }

  visitorReply(token: string, written: NewMessage): Promise<ConversationAnswer> {
    return this.db.tx('support.visitor-reply', async (tx) => {
      const row = await this.visited(tx, token, { lock: true });
      return this.post(tx, row, { ...written, userId: null });
    });
  }

  /** Adds a message. A customer who is already waiting keeps the start of the wait, at the current support level. */
  private async post(
    tx: Tx,
    row: SupportMessage,
    { message, key, userId }: NewMessage & { readonly userId: number | null },
  ): Promise<ConversationAnswer> {
    if (await isRepeat(tx, row, { key, message, what: 'message', userId })) return conversationAnswer(tx, row);
    const at = await this.clock.now(tx);
    const entry = {
      by: 'person',
      what: 'message',
      user_id: userId,
      message,
      request_key: key,
      created_at: at,
    } as const;
    await addEntry(tx, row, entry);
    const level = await supportLevelOf(tx, { userId: row.user_id, deploymentId: row.deployment_id });
    const waits = waiting(row.waiting_since ?? at, level, this.settings.support.hours);
    const isAsBefore = waits.due_at === row.due_at;
    await tx.repository(SupportMessage).update(
      { id: row.id },
      {
        ...waits,
        // Support is warned only once about the same due time.
        warn_at: isAsBefore ? row.warn_at : waits.warn_at,
        state: 'open',
        last_at: at,
        entries: row.entries + 1,
      },
    );
    const now = await findConversation(tx, { id: row.id });
    await this.mails.staff(tx, now, {
      cause: `conversation:${row.id}:reply:${now.entries}`,
      template: 'support_reply',
      message,
    });
    this.hints.send(tx, { row: now, at });
    return conversationAnswer(tx, now);
  }

  private async visited(tx: Tx, token: string, { lock = false } = {}): Promise<SupportMessage> {
    const row = await findConversation(tx, { id: this.idOf(token), lock }).catch(unknownLink);
    const link = { isClosed: row.state === 'closed', lastAt: row.last_at };
    if (!isVisitorLinkOpen(link, await this.clock.now(tx)))
      throw new DomainError('NOT_FOUND', SUPPORT_MESSAGES.link_ended);
    return row;
  }

  private idOf(token: string): number {
    const id = Number(this.links.open('conversation', token) ?? Number.NaN);
    if (!Number.isSafeInteger(id)) throw new DomainError('NOT_FOUND', SUPPORT_MESSAGES.link_unknown);
    return id;
  }
}

/** Rethrows the error of a conversation that was removed after the email was sent. */
function unknownLink(error: unknown): never {
  throw error instanceof DomainError ? new DomainError('NOT_FOUND', SUPPORT_MESSAGES.link_unknown) : error;
}
