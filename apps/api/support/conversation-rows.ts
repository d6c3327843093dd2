import type { ConversationAnswer, ConversationBrief, ConversationEntry, SupportContext } from '@moorage/contracts';
import { SupportEntry, SupportMessage } from '@moorage/database';
import {
  answerDueAt,
  answerWarnedAt,
  CONSTANTS,
  DomainError,
  type Instant,
  iso,
  SUPPORT_MESSAGES,
  type SupportHours,
  type SupportLevel,
} from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { IsNull } from 'typeorm';
import { reusedKey } from '../http/idempotency.service';

/** The same NOT_FOUND for a conversation that does not exist and for one of another user. */
export const unknownConversation = (): DomainError =>
  new DomainError('NOT_FOUND', SUPPORT_MESSAGES.conversation_unknown);

/** Finds a conversation. With `userId`, only if it belongs to this account. */
export async function findConversation(
  tx: Tx,
  { id, userId, lock = false }: { id: number; userId?: number; lock?: boolean },
): Promise<SupportMessage> {
  if (lock) await tx.query('select 1 from support_messages where id = $1 for no key update', [id]);
  const row = await tx.repository(SupportMessage).findOneBy(userId === undefined ? { id } : { id, user_id: userId });
  if (row === null) throw unknownConversation();
  return row;
}

export const isFull = ({ entries }: SupportMessage): boolean => entries >= CONSTANTS.conversationEntriesMax;

/** Adds an entry. Throws CONVERSATION_STATE if the conversation is full. Closing is always possible. */
export async function addEntry(
  tx: Tx,
  row: SupportMessage,
  entry: Omit<SupportEntry, 'id' | 'conversation_id'>,
): Promise<void> {
  if (entry.what !== 'closed' && isFull(row))
    throw new DomainError('CONVERSATION_STATE', SUPPORT_MESSAGES.conversation_full);
  await tx.repository(SupportEntry).insert({ ...entry, conversation_id: row.id });
}

/** A message or note for a conversation, and the Idempotency-Key of its request. */
export interface NewMessage {
  readonly message: string;
  readonly key: string | null;
}

/**
 * Returns true if this request has already written its entry, because the client lost the response and sent it again.
 * The caller has locked the conversation. Throws IDEMPOTENCY_KEY_REUSED if the key was used for another message.
 */
export async function isRepeat(
  tx: Tx,
  { id }: SupportMessage,
  { key, message, what, userId }: NewMessage & { readonly what: 'message' | 'note'; readonly userId: number | null },
): Promise<boolean> {
  if (key === null) return false;
  const written = await tx
    .repository(SupportEntry)
    .findOneBy({ conversation_id: id, request_key: key, user_id: userId ?? IsNull() });
  if (written === null) return false;
  if (written.what !== what || written.message !== message) throw reusedKey();
  return true;
}

/** Closes a conversation. Does nothing if it is already closed. */
export async function closeConversation(
  tx: Tx,
  row: SupportMessage,
  { by, userId, at }: { by: 'person' | 'support'; userId: number; at: Instant },
): Promise<void> {
  if (row.state === 'closed') return;
  await addEntry(tx, row, { by, what: 'closed', user_id: userId, message: '', request_key: null, created_at: at });
  await tx
    .repository(SupportMessage)
    .update({ id: row.id }, { ...NOT_WAITING, state: 'closed', last_at: at, entries: row.entries + 1 });
}

/** Returns the entries, the oldest first. */
export function readEntries(tx: Tx, { id }: SupportMessage): Promise<SupportEntry[]> {
  return tx.repository(SupportEntry).find({ where: { conversation_id: id }, order: { id: 'asc' } });
}

/** State of a conversation in which no reply is due. */
export const NOT_WAITING = { waiting_since: null, due_at: null, warn_at: null } as const;

/** Returns the start of the wait, the time when a reply is due, and the time at which support is warned. */
export function waiting(
  since: Instant,
  level: SupportLevel,
  hours: SupportHours,
): Pick<SupportMessage, 'level' | 'waiting_since' | 'due_at' | 'warn_at'> {
  const due = answerDueAt(level, since, hours);
  return {
    level,
    waiting_since: since,
    due_at: due,
    warn_at: due === null ? null : answerWarnedAt(level, { since, due }, hours),
  };
}

export function conversationBrief(row: SupportMessage): ConversationBrief {
  const { id, kind, subject, state, created_at, last_at, due_at } = row;
  return {
    id,
    kind,
    subject,
    state,
    created_at: iso(created_at),
    last_at: iso(last_at),
    due_at: due_at === null ? null : iso(due_at),
    deployment: deploymentOf(row),
  };
}

function deploymentOf({ deployment_id, context }: SupportMessage): ConversationBrief['deployment'] {
  return deployment_id === null || context === null
    ? null
    : { id: deployment_id, client_name: contextOf(context).client_name };
}

/** Returns the context as written by `SupportContexts`. */
export const contextOf = (context: object): SupportContext => context as SupportContext;

/** Converts a conversation for its customer, without the names of support staff and without notes. */
export async function conversationAnswer(tx: Tx, row: SupportMessage): Promise<ConversationAnswer> {
  const entries = (await readEntries(tx, row)).flatMap(({ id, by, what, message, created_at }): ConversationEntry[] =>
    what === 'note' ? [] : [{ id, by, what, message, at: iso(created_at) }],
  );
  return {
    ...conversationBrief(row),
    email: row.email,
    entries: [{ id: 0, by: 'person', what: 'message', message: row.message, at: iso(row.created_at) }, ...entries],
    is_full: isFull(row),
  };
}
