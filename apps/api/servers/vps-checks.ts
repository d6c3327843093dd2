import { CHECK_VPS_WORK, type VpsCheckAnswer, type VpsCheckResult } from '@moorage/contracts';
import {
  type Cidr,
  CONSTANTS,
  DomainError,
  guardAddress,
  type Instant,
  iso,
  ORDER_WORDS,
  SERVER_CHECK_WORDS,
} from '@moorage/domain';
import type { WorkSchedule } from '@moorage/messaging';
import type { Clock, Db, Tx } from '@moorage/server';
import { FieldsInvalid, ListedRefusal } from '../http/field-problems';
import { addressInUse } from './address-in-use';
import type { UserKeys } from './user-key';

/** Asks the provisioner to look at a user's own server and waits a while for what it sees (a row: no service is called). */
export interface VpsChecks {
  /**
   * FIELDS_INVALID for an address that cannot be a server, VPS_IN_USE, VPS_REFUSED with everything that was found;
   * `state: 'asked'` when the look is not over in time: asking again finds it. `gone` ends the waiting.
   */
  check(ask: { userId: number; address: string; gone: AbortSignal }): Promise<VpsCheckAnswer>;
}

interface CheckRow {
  readonly id: number;
  readonly address: string;
  readonly state: 'asked' | 'passed' | 'refused';
  readonly host_key_sha256: string | null;
  readonly message: string | null;
  readonly results: readonly VpsCheckResult[];
  readonly asked_at: Instant;
  readonly answered_at: Instant | null;
}

export interface VpsChecksOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly work: WorkSchedule;
  readonly userKeys: UserKeys;
  readonly allowedCidrs: readonly Cidr[];
}

const COLUMNS = 'id, host(address) as address, state, host_key_sha256, message, results, asked_at, answered_at';

export function createVpsChecks({ db, clock, work, userKeys, allowedCidrs }: VpsChecksOptions): VpsChecks {
  /** The running look, the answer that its asker did not stay for, or a new look. */
  async function ask(tx: Tx, userId: number, address: string): Promise<CheckRow> {
    const at = await clock.now(tx);
    if (await addressInUse(tx, address)) throw new DomainError('VPS_IN_USE', ORDER_WORDS.address_in_use);
    await userKeys.publicKey(tx, userId);
    // a second request at the same moment waits here for the first and then finds its row
    await tx.query('select id from users where id = $1 for no key update', [userId]);
    const [last] = await tx.query<CheckRow>(
      `select ${COLUMNS} from vps_checks where user_id = $1 and address = $2 order by id desc limit 1`,
      [userId, address],
    );
    if (last !== undefined && (last.state === 'asked' || wasMissed(last, at))) return last;
    const [made] = await tx.query<CheckRow>(
      `insert into vps_checks (user_id, address, asked_at) values ($1, $2, $3) returning ${COLUMNS}`,
      [userId, address, iso(at)],
    );
    if (made === undefined) throw new Error('no row came back');
    await work.schedule(tx, { kind: CHECK_VPS_WORK, key: String(made.id), due_at: at });
    return made;
  }

  /** Did the one who asked go away with "not there yet", just now? Then this answer is for them. */
  function wasMissed({ asked_at, answered_at }: CheckRow, at: Instant): boolean {
    return (
      answered_at !== null &&
      answered_at - asked_at >= CONSTANTS.vpsCheckWaitMs &&
      at - answered_at < CONSTANTS.vpsCheckWaitMs
    );
  }

  async function look(id: number): Promise<CheckRow> {
    const [row] = await db.tx('servers.look-at-check', (tx) =>
      tx.query<CheckRow>(`select ${COLUMNS} from vps_checks where id = $1`, [id]),
    );
    if (row === undefined) throw new Error('a check is gone');
    return row;
  }

  return {
    async check({ userId, address: typed, gone }) {
      const guarded = guardAddress(typed, allowedCidrs);
      if (!guarded.ok) throw new FieldsInvalid([{ path: 'ip_address', message: guarded.message }]);
      // from when the request came: that is what a proxy on the way counts from
      const until = clock.wall() + CONSTANTS.vpsCheckWaitMs;
      let row = await db.tx('servers.ask-check', (tx) => ask(tx, userId, guarded.address));
      while (row.state === 'asked' && clock.wall() < until && !gone.aborted) {
        await clock.sleep(CONSTANTS.vpsCheckLookMs, gone);
        row = await look(row.id);
      }
      return answerOf(row);
    },
  };
}

function answerOf({ state, address, host_key_sha256, message, results, answered_at }: CheckRow): VpsCheckAnswer {
  const answer = { state, ip_address: address, host_key_sha256, results: [...results], valid_until: null };
  switch (state) {
    case 'asked':
      return { ...answer, message: SERVER_CHECK_WORDS.looking };
    case 'passed':
      return {
        ...answer,
        message: message ?? SERVER_CHECK_WORDS.usable,
        valid_until: answered_at === null ? null : iso(answered_at + CONSTANTS.vpsCheckValidMs),
      };
    case 'refused': {
      const found = results
        .filter(({ level }) => level === 'error')
        .map((result) => ({ path: 'ip_address', message: result.message }));
      const detail = message ?? found[0]?.message ?? SERVER_CHECK_WORDS.unusable;
      const facts = { host_key_sha256, ip_address: address, state };
      throw new ListedRefusal('VPS_REFUSED', detail, found, facts, { results });
    }
  }
}
