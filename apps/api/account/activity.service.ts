import type { ActivityAnswer, ActivityKind, ActivityQuery } from '@moorage/contracts';
import type { AuditAction } from '@moorage/database';
import { addDays, CONSTANTS, type Instant, iso } from '@moorage/domain';
import { Db, type SqlValue, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { deviceOf } from '../http/devices';
import type { Caller } from '../http/call-input';
import { type NumberedPage, numberedPage } from '../http/numbered-page';
import { ownerMessage } from '../history/history-messages';

/** Prefixes of the actions that belong to each kind. */
const KINDS: Readonly<Record<ActivityKind, readonly string[]>> = {
  account: ['account'],
  deployments: ['deployment', 'server'],
  money: ['automatic_top_up', 'balance', 'card', 'credit', 'document', 'free_credits', 'payment', 'referral'],
  support: ['conversation'],
};

/** Actions that are internal to the staff. */
const INTERNAL: readonly AuditAction[] = [
  'conversation.assigned',
  'conversation.noted',
  'payment.difference_settled',
  'payment.refused',
];

interface Row {
  readonly id: string;
  readonly action: string;
  readonly at: Instant;
  readonly facts: object;
  readonly reason: string | null;
  readonly actor_user_id: number | null;
  readonly via: 'session' | 'api_token' | 'view' | null;
  readonly token: string | null;
  readonly deployment_id: number | null;
  readonly deployment_name: string | null;
  readonly ip_address: string | null;
  readonly user_agent: string | null;
}

/**
 * Actions on an account and its deployments, as shown to its owner. Name, address and device of staff are not shown
 * there.
 */
@Injectable()
export class Activity {
  constructor(private readonly db: Db) {}

  list({ userId }: Caller, query: ActivityQuery): Promise<{ activity: ActivityAnswer[] } & NumberedPage> {
    const { page, per_page: perPage } = query;
    return this.db.tx('account.activity', async (tx) => {
      const { where, params } = conditions(userId, query);
      const [counted] = await tx.query<{ total: number }>(
        `select count(*)::int as total
         from (select 1 from audit_records r where ${where} limit ${CONSTANTS.pagedRowsMax}) rows`,
        params,
      );
      const rows = await read(tx, { where, params, perPage, skip: (page - 1) * perPage });
      return {
        activity: rows.map((row) => answerOf(row, userId)),
        ...numberedPage({ page, perPage, total: counted?.total ?? 0 }),
      };
    });
  }
}

function conditions(
  userId: number,
  { kind, deployment_id: deployment, from, to }: ActivityQuery,
): { where: string; params: SqlValue[] } {
  const params: SqlValue[] = [userId, [...INTERNAL]];
  const param = (value: SqlValue): string => `$${params.push(value)}`;
  const conditions = ['r.account_id = $1', 'r.action <> all ($2)'];
  if (kind !== undefined) conditions.push(`split_part(r.action, '.', 1) = any (${param([...KINDS[kind]])})`);
  if (deployment !== undefined) conditions.push(`r.subject = ${param(`deployment:${deployment}`)}`);
  if (from !== undefined) conditions.push(`r.at >= ${param(`${from}T00:00:00Z`)}`);
  if (to !== undefined) conditions.push(`r.at < ${param(`${addDays(to, 1)}T00:00:00Z`)}`);
  return { where: conditions.join(' and '), params };
}

function read(
  tx: Tx,
  { where, params, perPage, skip }: { where: string; params: readonly SqlValue[]; perPage: number; skip: number },
): Promise<Row[]> {
  return tx.query<Row>(
    `with rows as materialized (
       select r.* from audit_records r where ${where}
       order by r.id desc limit $${params.length + 1} offset $${params.length + 2}
     )
     select r.id, r.action, r.at, r.facts, r.reason, r.actor_user_id, r.via, t.label as token,
       d.id as deployment_id, d.client_name as deployment_name, host(o.ip_address) as ip_address, o.user_agent
     from rows r
       left join audit_origins o on o.record_id = r.id
       left join user_tokens t on r.via = 'api_token' and t.id = r.credential_number
       left join deployments d on d.id = substring(r.subject from '^deployment:([0-9]+)$')::int
     order by r.id desc`,
    [...params, perPage, skip],
  );
}

function answerOf(row: Row, userId: number): ActivityAnswer {
  const isOwn = row.actor_user_id === userId;
  const byToken = isOwn && row.via === 'api_token';
  return {
    id: Number(row.id),
    at: iso(row.at),
    what: ownerMessage(row.action, row.facts),
    by: byToken ? 'token' : isOwn ? 'you' : byStaff(row) ? 'support' : 'system',
    token: byToken ? row.token : null,
    deployment:
      row.deployment_id === null || row.deployment_name === null
        ? null
        : { id: row.deployment_id, name: row.deployment_name },
    reason: row.reason,
    ip_address: isOwn ? row.ip_address : null,
    ...deviceOf(isOwn ? row.user_agent : null),
  };
}

/** Returns true for actions of an administrator, or of an operator at the command line, who is named in the facts. */
function byStaff({ actor_user_id: actor, facts }: Row): boolean {
  return actor !== null || 'by' in facts;
}
