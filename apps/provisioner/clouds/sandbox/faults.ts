import type { CloudName } from '@moorage/domain';
import type { Db, Tx } from '@moorage/server';
import { CloudError, type ServerFailure } from '../cloud';

export type SandboxCall = 'project' | 'create' | 'find' | 'get' | 'list' | 'delete' | 'catalogue';

/**
 * What can go wrong on purpose (`sandbox_faults`, each row for so many calls).
 * `apply_then_fail`: done, and then answered with 500. `rate_limited`: 429, come back in a second. `server_error`: 500, not
 * done. `slow`: answers after three seconds. `never_boots`: created, and no SSH ever. `vanishes`: created, and gone as soon
 * as it runs. `delayed_list`: not in `find` and `list` for some seconds. `no_address`: never gets one. `still_there`: the
 * removal answers well and does nothing. `locked`: 409 busy. `quota`, `no_capacity`, `revoked`, `readonly`, `not_permitted`: refusals that no
 * patience mends.
 * `empty`: OK, and nothing is there (of `find`, `list`, `get`). `partial`: `find` and `list` leave out every second server.
 * `other_project`: `project` answers with the id of another one. `late_address`: created, and its address is known only
 * some time after it runs. `stops`: created, and stopped as soon as it runs. `fails_*`: created, and found to be impossible
 * when it should run.
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

/** Why a server that was accepted under this mode turns out to be impossible; null: it does not. */
export const failsLater = (mode: FaultMode | null): ServerFailure['kind'] | null =>
  mode === null ? null : (FAILS_LATER[mode] ?? null);

export const SLOW_ANSWER_MS = 3_000;
export const DELAYED_LIST_MS = 4_000;
const RATE_LIMIT_MS = 1_000;

/** Plants a fault: the next `times` calls of that kind at that provider (`any`: at all) go wrong so. */
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

/** Takes the oldest fault planted for this call, if any: each counts down once per call. */
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

/** The refusal a mode answers with before anything is done; null where the mode does something else. */
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

/** What a `find` or `list` shows when it goes wrong so. */
export function shownUnder<T>(mode: FaultMode | null, servers: readonly T[]): T[] {
  if (mode === 'empty') return [];
  return servers.filter((_, index) => mode !== 'partial' || index % 2 === 0);
}
