import { event, type IncidentChanged } from '@moorage/contracts';
import { type Deployment, SupportMessage as Conversation, type User } from '@moorage/database';
import { remedyMessage, INCIDENT_SUPPORT_MESSAGES, incidentMessage } from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import { OnEvent } from '@moorage/runtime';
import { Clock, type Tx } from '@moorage/server';
import { moment, renderMessage } from '@moorage/texts/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { addEntry, findConversation, isFull, waiting } from './conversation-rows';
import { SupportContexts } from './support-contexts.service';
import { SupportHints } from './support-hints.service';

/** Account that owns the deployment of an event, from our rows and not from the event. */
type Owner = Pick<Deployment, 'user_id' | 'client_name'> & Pick<User, 'username' | 'email' | 'language'>;

/** Support level whose incidents are reported to support automatically. */
const LEVEL = 3;

/** Conversations with support that incidents of Level 3 deployments start. */
@Injectable()
export class IncidentConversations {
  constructor(
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly contexts: SupportContexts,
    private readonly hints: SupportHints,
    private readonly settings: ApiSettings,
  ) {}

  /**
   * Starts a conversation when an incident is reported, or adds a note to the one that an earlier incident of the
   * deployment started. The end of a reported incident is another note.
   */
  @OnEvent('deployment.incident_changed')
  async follow(tx: Tx, { data }: { readonly data: IncidentChanged }): Promise<void> {
    const isOver = data.change === 'settled' && data.was_told;
    if (data.change !== 'told' && !isOver) return;
    const owner = await ownerOf(tx, data.deployment_id);
    if (owner === null) return;
    const open = await openConversation(tx, data.deployment_id);
    if (isOver) {
      if (open !== null) await this.addNote(tx, open, data);
      return;
    }
    const id = open === null ? await this.begin(tx, data, owner) : await this.addNote(tx, open, data);
    await tx.execute('update incidents set conversation_id = $2 where id = $1', [data.incident_id, id]);
  }

  private async begin(
    tx: Tx,
    data: IncidentChanged,
    { user_id, client_name, username, email, language }: Owner,
  ): Promise<number> {
    const at = await this.clock.now(tx);
    const viewer = { userId: user_id, isAdmin: false };
    const parts = [incidentMessage(data), remedyMessage(data), INCIDENT_SUPPORT_MESSAGES.started].map((message) =>
      renderMessage(message, language),
    );
    const { id } = await tx.repository(Conversation).save({
      kind: 'contact',
      name: username,
      email,
      subject: renderMessage(INCIDENT_SUPPORT_MESSAGES.subject({ name: client_name }), language),
      message: parts.join('\n\n'),
      user_id,
      ip_address: null,
      language,
      deployment_id: data.deployment_id,
      context: await this.contexts.read(tx, { viewer, id: data.deployment_id }),
      created_at: at,
      last_at: at,
      ...waiting(at, LEVEL, this.settings.support.hours),
    });
    await this.outbox.append(tx, event('support.message_received', id, { message_id: id }));
    this.hints.send(tx, { row: await findConversation(tx, { id }), at });
    return id;
  }

  private async addNote(tx: Tx, row: Conversation, data: IncidentChanged): Promise<number> {
    const at = await this.clock.now(tx);
    if (isFull(row)) return row.id;
    const ended = data.ended_at === null ? '' : ` It ended at ${moment(data.ended_at)}.`;
    const message = `${moment(data.began_at)}: ${incidentMessage(data).detail}${ended}`;
    await addEntry(tx, row, { by: 'support', what: 'note', user_id: null, message, request_key: null, created_at: at });
    await tx.repository(Conversation).update({ id: row.id }, { last_at: at, entries: row.entries + 1 });
    this.hints.send(tx, { row, at });
    return row.id;
  }
}

/** Locks the account, so that two incidents do not start two conversations. Null unless the deployment has Level 3. */
async function ownerOf(tx: Tx, deploymentId: number): Promise<Owner | null> {
  const [row] = await tx.query<Owner>(
    `select u.id as user_id, d.client_name, u.username, u.email, u.language
     from deployments d join users u on u.id = d.user_id
     where d.id = $1 and d.support_level = $2 and d.status <> 'DELETED' and u.email is not null
     for no key update of u`,
    [deploymentId, LEVEL],
  );
  return row ?? null;
}

async function openConversation(tx: Tx, deploymentId: number): Promise<Conversation | null> {
  const [open] = await tx.query<{ id: number }>(
    `select s.id from support_messages s where s.deployment_id = $1 and s.state <> 'closed'
       and exists (select 1 from incidents i where i.conversation_id = s.id) order by s.id desc limit 1`,
    [deploymentId],
  );
  return open === undefined ? null : findConversation(tx, { id: open.id, lock: true });
}
