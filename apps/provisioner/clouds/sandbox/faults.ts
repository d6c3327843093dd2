import type { CloudName } from '@moorage/domain';
import type { Db, Tx } from '@moorage/server';
import { CloudError, type ServerFailure } from '../cloud';

export type SandboxCall = 'project' | 'create' | 'find' | 'get' | 'list' | 'delete' | 'resize' | 'catalogue';

/**
 * Injectable faults (`sandbox_faults`, where each row applies to a number of calls).
 *
 * - `apply_then_fail`: Carries out the call, then responds with 500.
 * - `rate_limited`: 429, retry after one second.
 * - `server_error`: 500 without carrying out the call.
 * - `slow`: Responds after three seconds.
 * - `never_boots`: Creates a server that never has SSH.
 * - `vanishes`: Creates a server that is gone as soon as it runs.
 * - `delayed_list`: Omits the server from `find` and `list` for some seconds.
 * - `no_address`: The server never gets an address.
 * - `late_address`: The server gets its address some time after it runs.
 * - `stops`: Creates a server that is stopped as soon as it runs.
 * - `fails_*`: Creates a server that turns out to be impossible when it should run.
 * - `still_there`: Reports a successful removal but does nothing.
 * - `locked`: 409 busy.
 * - `quota`, `no_capacity`, `revoked`, `readonly`, `not_permitted`: Permanent errors.
 * - `empty`: `find`, `list` and `get` succeed without servers.
 * - `partial`: `find` and `list` omit every second server.
 * - `other_project`: `project` returns the id of another project.
 *
 * `quota` and `no_capacity` leave the server of a `resize` stopped, as providers do that detect them at the start.
 */
export const FAULT_MODES = [
  'apply_then_fail',
  'rate_limited',
  'server_error',
  'slow',
  'never_boots',
  'vanishes',
  'delayed_list',
  'no_address',
  'still_there',
  'locked',
  'quota',
  'no_capacity',
  'revoked',
  'readonly',
  'not_permitted',
  'empty',
  'partial',
  'other_project',
  'late_address',
  'stops',
  'fails_capacity',
  'fails_quota',
  'fails_refused',
  'fails_other',
] as const;
export type FaultMode = (typeof FAULT_MODES)[number];

const FAILS_LATER: Readonly<Partial<Record<FaultMode, ServerFailure['kind']>>> = {
  fails_capacity: 'capacity',
  fails_quota: 'quota',
  fails_refused: 'refused',
  fails_other: 'other',
};

/** Returns why a server accepted under this mode later turns out to be impossible, or null if it does not. */
export const failsLater = (mode: FaultMode | null): ServerFailure['kind'] | null =>
  mode === null ? null : (FAILS_LATER[mode] ?? null);

export const SLOW_ANSWER_MS = 3_000;
export const DELAYED_LIST_MS = 4_000;
const RATE_LIMIT_MS = 1_000;

/** Injects a fault into the next `times` calls of that kind at that provider (`any` means every provider). */
export async function plantFault(
  db: Db,
  { provider, call, mode, times }: { provider: CloudName | 'any'; call: SandboxCall; mode: FaultMode; times: number },
): Promise<void> {
  await db.tx('sandbox.fault', (tx) =>
    tx.execute('insert into sandbox_faults (provider, call, mode, remaining) values ($1, $2, $3, $4)', [
      provider,
      call,
      mode,
      times,
    ]),
  );
}

/** Consumes the oldest fault injected for this call, if any. Each call reduces its count by one. */
export async function takeFault(tx: Tx, provider: CloudName, call: SandboxCall): Promise<FaultMode | null> {
  const [row] = await tx.query<{ id: number; mode: string; remaining: number }>(
    `select id, mode, remaining from sandbox_faults where provider in ($1, 'any') and call = $2 order by id limit 1 for update`,
    [provider, call],
  );
  if (row === undefined) return null;
  if (row.remaining <= 1) await tx.execute('delete from sandbox_faults where id = $1', [row.id]);
  else await tx.execute('update sandbox_faults set remaining = remaining - 1 where id = $1', [row.id]);
  return FAULT_MODES.find((mode) => mode === row.mode) ?? null;
}

/** Returns the error with which a mode rejects the call, or null if the mode does something else. */
export function refusalOf(mode: FaultMode | null): CloudError | null {
  switch (mode) {
    case 'rate_limited':
      return new CloudError('rate_limit', 'too many requests', RATE_LIMIT_MS);
    case 'server_error':
      return new CloudError('transient', 'internal server error');
    case 'locked':
      return new CloudError('conflict', 'the server is locked');
    case 'quota':
      return new CloudError('quota', 'the account has reached its limit of servers');
    case 'no_capacity':
      return new CloudError('capacity', 'this size is sold out in this region');
    case 'revoked':
      return new CloudError('auth', 'the token is not valid');
    case 'readonly':
      return new CloudError('account', 'the token is read only');
    case 'not_permitted':
      return new CloudError('permission', 'this region is not permitted');
    case 'apply_then_fail':
    case 'slow':
    case 'never_boots':
    case 'vanishes':
    case 'delayed_list':
    case 'no_address':
    case 'still_there':
    case 'empty':
    case 'partial':
    case 'other_project':
    case 'late_address':
    case 'stops':
    case 'fails_capacity':
    case 'fails_quota':
    case 'fails_refused':
    case 'fails_other':
    case null:
      return null;
  }
}

/** Returns whether a rejected `resize` leaves the server stopped. */
export const stopsServer = (mode: FaultMode | null): boolean => mode === 'quota' || mode === 'no_capacity';

/** Returns the servers that `find` or `list` shows under this mode. */
export function shownUnder<T>(mode: FaultMode | null, servers: readonly T[]): T[] {
  if (mode === 'empty') return [];
  return servers.filter((_, index) => mode !== 'partial' || index % 2 === 0);
}
