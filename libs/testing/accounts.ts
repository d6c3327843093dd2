import type { DeploymentStatus, Instant, SupportLevel } from '@moorage/domain';
import { iso } from '@moorage/domain';
import type { Clock, Tx } from '@moorage/server';

/** A clock that only moves when the test moves it. */
export interface HandClock extends Clock {
  at: Instant;
}

export function handClock(at: Instant): HandClock {
  const clock: HandClock = {
    at,
    now: () => Promise.resolve(clock.at),
    localNow: () => clock.at,
    systemNow: () => clock.at,
    sleep: () => Promise.resolve(),
    every: () => () => Promise.resolve(),
  };
  return clock;
}

let counter = 0;

/**
 * Inserts a verified user without a wallet and returns its id. The first user of a database should be an administrator
 * (I20).
 */
export async function insertUser(
  tx: Tx,
  { at, isAdmin = false, id }: { at: Instant; isAdmin?: boolean; id?: number },
): Promise<number> {
  const name = `user${process.pid}x${++counter}`;
  const [row] = await tx.query<{ id: number }>(
    `insert into users (${id === undefined ? '' : 'id, '}username, email, email_normalised, password_hash, is_admin, is_verified, referral_code, created_at)
     values (${id === undefined ? '' : `${id}, `}$1, $2, $2, 'none', $3, true, $1, $4) returning id`,
    [name, `${name}@example.org`, isAdmin, iso(at)],
  );
  if (row === undefined) throw new Error('no user was inserted');
  return row.id;
}

/** Inserts a deployment row in any state. Its meter is opened separately, with `openMeter` of the ledger. */
export async function insertDeployment(
  tx: Tx,
  deployment: {
    userId: number;
    at: Instant;
    id?: number;
    status?: DeploymentStatus;
    serverType?: 'new' | 'vps';
    supportLevel?: SupportLevel;
    baseHourlyMicros: number;
    billableFrom?: Instant;
  },
): Promise<number> {
  const ref = `${process.pid}x`.padEnd(9, '0') + String(++counter).padStart(7, '0');
  const own = deployment.serverType === 'vps';
  const address = `198.${18 + (counter >> 16)}.${(counter >> 8) & 255}.${counter & 255}`;
  const [row] = await tx.query<{ id: number }>(
    `insert into deployments (${deployment.id === undefined ? '' : 'id, '}user_id, ref, client_name, client_id, package, server_type,
       support_level, instance_hourly_micros, status, vps_ip_address, billable_from, created_at, updated_at)
     values (${deployment.id === undefined ? '' : `${deployment.id}, `}$1, $2, $3, $3, 'pangolin', $4, $5, $6, $7, $8, $9, $10, $10) returning id`,
    [
      deployment.userId,
      ref,
      `client-${counter}`,
      deployment.serverType ?? 'new',
      deployment.supportLevel ?? 1,
      own ? 0 : deployment.baseHourlyMicros,
      deployment.status ?? 'CREATING',
      own ? address : null,
      deployment.billableFrom === undefined ? null : iso(deployment.billableFrom),
      iso(deployment.at),
    ],
  );
  if (row === undefined) throw new Error('no deployment was inserted');
  return row.id;
}

/** Parameters of argon2id cheap enough to sign up thousands of users in tests. Not secure. */
export const CHEAP_GUESSES = { memoryCost: 64, timeCost: 1, parallelism: 1 };
