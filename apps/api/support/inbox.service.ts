import type { InboxConversation, InboxCounts, InboxList, InboxRow, SupportStaff } from '@moorage/contracts';
import { auditLog, type SupportEntry, SupportMessage } from '@moorage/database';
import { CONSTANTS, DomainError, type Instant, iso, SUPPORT_MESSAGES } from '@moorage/domain';
import { Clock, Db, type SqlValue, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/call-input';
import { type NumberedPage, numberedPage } from '../http/numbered-page';
import {
  addEntry,
  closeConversation,
  contextOf,
  conversationBrief,
  findConversation,
  isFull,
  isRepeat,
  NOT_WAITING,
  unknownConversation,
  type NewMessage,
} from './conversation-rows';
import { SupportHints } from './support-hints.service';
import { SupportMails } from './support-mails.service';

interface Row extends SupportMessage {
  readonly account_username: string | null;
  readonly account_deactivated: boolean;
  readonly assignee_username: string | null;
}

const SELECT = `
select m.id, m.kind, m.user_id, m.name, m.email, m.subject, m.message, host(m.ip_address) as ip_address, m.created_at,
  m.language, m.deployment_id, m.context, m.level, m.state, m.assignee_user_id, m.waiting_since, m.due_at, m.warn_at,
  m.last_at, m.entries, u.username as account_username, u.deactivated_at is not null as account_deactivated,
  a.username as assignee_username
from support_messages m
  left join users u on u.id = m.user_id
  left join users a on a.id = m.assignee_user_id`;

/** Sort order: guaranteed replies first, the soonest due first, then the longest waiting. */
const QUEUE = 'm.due_at asc nulls last, m.waiting_since asc nulls last, m.id asc';
const NEWEST = 'm.last_at desc, m.id desc';

const COUNTS = `
select count(*)::int as open,
  (count(*) filter (where assignee_user_id is null))::int as unassigned,
  (count(*) filter (where assignee_user_id = $1))::int as mine,
  (count(*) filter (where due_at > $2 and (warn_at is null or warn_at <= $2)))::int as due_soon,
  (count(*) filter (where due_at <= $2))::int as overdue
from support_messages where state = 'open'`;

/** Maximum number of possible assignees, more than an installation has. */
const STAFF_MAX = 100;
const STAFF = `
select id, username from users
where is_admin and is_verified and deactivated_at is null and erased_at is null`;

/** `unchanged` is returned for a repeated request, which is not recorded. */
type Act = (tx: Tx, row: SupportMessage, at: Instant) => Promise<'unchanged' | void>;

interface EntryRow extends SupportEntry {
  readonly username: string | null;
}

/** Inbox of administrators: messages to support and requests for packages. */
@Injectable()
export class Inbox {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly mails: SupportMails,
    private readonly hints: SupportHints,
  ) {}

  list(caller: Caller, { page, ...filters }: InboxList): Promise<{ conversations: InboxRow[] } & NumberedPage> {
    return this.db.tx('inbox.list', async (tx) => {
      const perPage = CONSTANTS.conversationsPerPage;
      const { where, params } = conditionsOf(filters, caller);
      const [counted] = await tx.query<{ total: number }>(
        `select count(*)::int as total from support_messages m where ${where}`,
        params,
      );
      const rows = await tx.query<Row>(
        `${SELECT} where ${where} order by ${filters.state === 'open' ? QUEUE : NEWEST}
         limit $${params.length + 1} offset $${params.length + 2}`,
        [...params, perPage, (page - 1) * perPage],
      );
      const now = await this.clock.now(tx);
      return {
        conversations: rows.map((row) => inboxRow(row, now)),
        ...numberedPage({ page, perPage, total: counted?.total ?? 0 }),
      };
    });
  }

  counts({ userId }: Caller): Promise<InboxCounts> {
    return this.db.tx('inbox.counts', async (tx) => {
      const [row] = await tx.query<InboxCounts>(COUNTS, [userId, iso(await this.clock.now(tx))]);
      return row ?? { open: 0, unassigned: 0, mine: 0, due_soon: 0, overdue: 0 };
    });
  }

  staff(): Promise<SupportStaff[]> {
    return this.db.tx('inbox.staff', (tx) =>
      tx.query<SupportStaff>(`${STAFF} order by lower(username), id limit ${STAFF_MAX}`),
    );
  }

  read({ userId: actor }: Caller, id: number): Promise<InboxConversation> {
    return this.db.tx('inbox.read', async (tx) => {
      const row = await findConversation(tx, { id });
      const at = await this.clock.now(tx);
      const act = { action: 'conversation.read', subject: `conversation:${id}`, accountId: row.user_id } as const;
      await auditLog.recordRead(tx, { actor, ...act, facts: {}, at });
      return this.answerOf(tx, id);
    });
  }

  /** Sends a reply. An unassigned conversation is assigned to its author. */
  answer(caller: Caller, id: number, written: NewMessage): Promise<InboxConversation> {
    return this.write(caller, { id, what: 'message', ...written }, async (tx, row, at) => {
      const entries = row.entries + 1;
      await tx.repository(SupportMessage).update(
        { id },
        {
          ...NOT_WAITING,
          state: 'answered',
          last_at: at,
          entries,
          assignee_user_id: row.assignee_user_id ?? caller.userId,
        },
      );
      await this.mails.answered(tx, row, { entry: entries, message: written.message });
    });
  }

  note(caller: Caller, id: number, written: NewMessage): Promise<InboxConversation> {
    return this.write(caller, { id, what: 'note', ...written }, async (tx, row) => {
      await tx.repository(SupportMessage).update({ id }, { entries: row.entries + 1 });
    });
  }

  /** Assigns a conversation. `userId` is null to unassign it. */
  assign(caller: Caller, id: number, userId: number | null): Promise<InboxConversation> {
    return this.change(caller, 'assigned', id, async (tx) => {
      const found = userId === null ? [] : await tx.query(`${STAFF} and id = $1 for key share`, [userId]);
      if (userId !== null && found.length === 0) throw new DomainError('NOT_FOUND', SUPPORT_MESSAGES.staff_unknown);
      await tx.repository(SupportMessage).update({ id }, { assignee_user_id: userId });
    });
  }

  close(caller: Caller, id: number): Promise<InboxConversation> {
    const { userId } = caller;
    return this.change(caller, 'closed', id, (tx, row, at) =>
      closeConversation(tx, row, { by: 'support', userId, at }),
    );
  }

  /** Adds an entry once per key. */
  private write(
    caller: Caller,
    { id, what, message, key }: NewMessage & { readonly id: number; readonly what: 'message' | 'note' },
    act: Act,
  ): Promise<InboxConversation> {
    const { userId } = caller;
    return this.change(caller, what === 'note' ? 'noted' : 'answered', id, async (tx, row, at) => {
      if (await isRepeat(tx, row, { key, message, what, userId })) return 'unchanged';
      const entry = { by: 'support', what, user_id: userId, message, request_key: key, created_at: at } as const;
      await addEntry(tx, row, entry);
      return act(tx, row, at);
    });
  }

  private change(
    { userId: actor }: Caller,
    what: 'answered' | 'noted' | 'assigned' | 'closed',
    id: number,
    act: Act,
  ): Promise<InboxConversation> {
    return this.db.tx(`inbox.${what}`, async (tx) => {
      const row = await findConversation(tx, { id, lock: true });
      const at = await this.clock.now(tx);
      if ((await act(tx, row, at)) === 'unchanged') return this.answerOf(tx, id);
      const subject = `conversation:${id}`;
      const { user_id: accountId } = row;
      await auditLog.record(tx, { actor, action: `conversation.${what}`, subject, accountId, facts: {}, at });
      this.hints.send(tx, { row, at });
      return this.answerOf(tx, id);
    });
  }

  private async answerOf(tx: Tx, id: number): Promise<InboxConversation> {
    const [row] = await tx.query<Row>(`${SELECT} where m.id = $1`, [id]);
    if (row === undefined) throw unknownConversation();
    const entries = await tx.query<EntryRow>(
      `select e.*, u.username from support_entries e left join users u on u.id = e.user_id
       where e.conversation_id = $1 order by e.id`,
      [id],
    );
    return {
      ...inboxRow(row, await this.clock.now(tx)),
      ip_address: row.ip_address,
      context: row.context === null ? null : contextOf(row.context),
      entries: [
        { id: 0, by: 'person', what: 'message', author: null, message: row.message, at: iso(row.created_at) },
        ...entries.map((entry) => ({
          id: entry.id,
          by: entry.by,
          what: entry.what,
          author: entry.by === 'support' ? staffOf(entry.user_id, entry.username) : null,
          message: entry.message,
          at: iso(entry.created_at),
        })),
      ],
      is_full: isFull(row),
    };
  }
}

function conditionsOf(
  { state, kind, level, assigned_to, user_id, search }: Omit<InboxList, 'page'>,
  { userId }: Caller,
): { where: string; params: readonly SqlValue[] } {
  const params: SqlValue[] = [state];
  const param = (value: SqlValue): string => `$${params.push(value)}`;
  const conditions = ['m.state = $1'];
  if (kind !== undefined) conditions.push(`m.kind = ${param(kind)}`);
  if (level !== undefined) conditions.push(`m.level = ${param(level)}`);
  if (assigned_to === 'me') conditions.push(`m.assignee_user_id = ${param(userId)}`);
  if (assigned_to === 'nobody') conditions.push('m.assignee_user_id is null');
  if (user_id !== undefined) conditions.push(`m.user_id = ${param(user_id)}`);
  const written = search?.trim() ?? '';
  if (written !== '')
    conditions.push(
      `folded(m.subject || ' ' || m.name || ' ' || m.email) like folded(${param(`%${written.replace(/[\\%_]/g, '\\$&')}%`)})`,
    );
  return { where: conditions.join(' and '), params };
}

function inboxRow(row: Row, now: Instant): InboxRow {
  const { due_at, warn_at } = row;
  const isOverdue = due_at !== null && due_at <= now;
  return {
    ...conversationBrief(row),
    name: row.name,
    email: row.email,
    account:
      row.user_id === null || row.account_username === null
        ? null
        : { id: row.user_id, username: row.account_username, is_deactivated: row.account_deactivated },
    level: row.level,
    assignee: staffOf(row.assignee_user_id, row.assignee_username),
    waiting_since: row.waiting_since === null ? null : iso(row.waiting_since),
    is_due_soon: due_at !== null && !isOverdue && (warn_at === null || warn_at <= now),
    is_overdue: isOverdue,
  };
}

const staffOf = (id: number | null, username: string | null): SupportStaff | null =>
  id === null || username === null ? null : { id, username };
