import { type ConversationBegun, event, type PackageRequest, type SupportMessage, toSent } from '@moorage/contracts';
import { SupportMessage as Conversation } from '@moorage/database';
import { ACCESS_MESSAGES, type Language, type Message } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { OnEvent, type ProductEvent } from '@moorage/runtime';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller, Origin } from '../http/call-input';
import { ApiSettings } from '../settings';
import { usersRepository } from '../users-store/users.repository';
import { findConversation, waiting } from './conversation-rows';
import { SupportContexts } from './support-contexts.service';
import { SupportHints } from './support-hints.service';
import { supportLevelOf } from './support-level-of';
import { SupportMails } from './support-mails.service';

interface From {
  readonly caller: Caller | null;
  readonly origin: Origin;
  /** Language of a visitor. An account has its own. */
  readonly language: Language;
}

type SupportText = Pick<Conversation, 'kind' | 'name' | 'email' | 'subject' | 'message'>;

/**
 * Messages to support. Each starts a conversation and is confirmed to its author, and its event forwards it to support.
 */
@Injectable()
export class SupportService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly mails: SupportMails,
    private readonly contexts: SupportContexts,
    private readonly hints: SupportHints,
    private readonly settings: ApiSettings,
  ) {}

  requestPackage(
    { package_name, reason }: PackageRequest,
    { caller, ...from }: From & { readonly caller: Caller },
  ): Promise<ConversationBegun> {
    const written = { name: caller.username, email: caller.email, subject: package_name, message: reason };
    return this.db.tx('support.request-package', async (tx) =>
      begun(ACCESS_MESSAGES.request_sent, await this.begin(tx, { kind: 'package', ...written }, { caller, ...from })),
    );
  }

  /**
   * Starts a conversation. A visitor has no deployments, so a deployment they name is ignored. The address that a user
   * enters is ignored as well: replies go to the account's address, because another could be a stranger's.
   */
  contact({ deployment_id, ...written }: SupportMessage, from: From): Promise<ConversationBegun> {
    return this.db.tx('support.contact', async (tx) => {
      const { caller } = from;
      const deploymentId = caller === null ? null : (deployment_id ?? null);
      const email = caller?.email ?? written.email;
      return begun(
        ACCESS_MESSAGES.support_sent,
        await this.begin(tx, { kind: 'contact', ...written, email }, from, deploymentId),
      );
    });
  }

  /** Emails a message to the support address once. */
  @OnEvent('support.message_received')
  async forward(tx: Tx, { event_id, data }: ProductEvent<'support.message_received'>): Promise<void> {
    const row = await tx.repository(Conversation).findOneBy({ id: data.message_id });
    if (row === null) return;
    const template = row.kind === 'package' ? 'package_request' : 'support_message';
    await this.mails.staff(tx, row, { cause: `event:${event_id}`, template, message: row.message });
  }

  private async begin(
    tx: Tx,
    written: SupportText,
    { caller, origin, language }: From,
    deploymentId: number | null = null,
  ): Promise<Conversation> {
    const userId = caller?.userId ?? null;
    const context =
      deploymentId === null || caller === null
        ? null
        : await this.contexts.read(tx, { viewer: caller, id: deploymentId });
    const at = await this.clock.now(tx);
    const level = await supportLevelOf(tx, { userId, deploymentId });
    const { id } = await tx.repository(Conversation).save({
      ...written,
      user_id: userId,
      ip_address: origin.ip,
      language: (await languageOf(tx, userId)) ?? language,
      deployment_id: deploymentId,
      context,
      created_at: at,
      last_at: at,
      ...waiting(at, level, this.settings.support.hours),
    });
    await this.outbox.append(tx, event('support.message_received', id, { message_id: id }));
    const row = await findConversation(tx, { id });
    await this.mails.confirm(tx, row);
    this.hints.send(tx, { row, at });
    return row;
  }
}

const begun = (created: Message, { id, user_id }: Conversation): ConversationBegun => ({
  ...toSent(created),
  conversation_id: user_id === null ? null : id,
});

async function languageOf(tx: Tx, userId: number | null): Promise<Language | undefined> {
  const user = userId === null ? null : await usersRepository.find(tx, userId, ['language']);
  return user?.language;
}
