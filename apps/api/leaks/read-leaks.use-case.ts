import type { LeakAnswer, LeakPageAnswer } from '@moorage/contracts';
import { holdingOwners, LEAK_COLUMNS, type LeakRow } from '@moorage/database';
import {
  type CloudName,
  confirmedFrom,
  type Instant,
  isAdoptable,
  iso,
  isoOrNull,
  type LeakFilter,
  OPEN_LEAKS,
  providerMode,
  statesOf,
} from '@moorage/domain';
import { Db, type Reads } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { numberedPage } from '../http/numbered-page';
import { ApiSettings } from '../settings';

const MICROS = 1_000_000;

/** Leaks for administrators. */
@Injectable()
export class ReadLeaks {
  constructor(
    private readonly db: Db,
    private readonly settings: ApiSettings,
  ) {}

  page({ page, per_page, show }: { page: number; per_page: number; show: LeakFilter }): Promise<LeakPageAnswer> {
    return this.db.tx('leaks.list', async (tx) => {
      const states = statesOf(show);
      const rows = await tx.query<LeakRow>(show === 'open' ? COSTLY_FIRST : NEWEST_FIRST, [
        states,
        per_page,
        (page - 1) * per_page,
      ]);
      const [sums] = await tx.query<{ total: number; micros: number }>(SUMS, [states, OPEN_LEAKS]);
      const checks = await tx.query<{ provider: CloudName; leaks_looked_at: Instant | null; failure: string | null }>(
        'select provider, leaks_looked_at, leaks_failure as failure from provider_breakers order by provider',
      );
      const checked = checks.flatMap(({ leaks_looked_at: at }) => (at === null ? [] : [at]));
      return {
        leaks: await this.answers(tx, rows),
        cost_daily: (sums?.micros ?? 0) / MICROS,
        failures: checks.flatMap(({ provider, failure }) => (failure === null ? [] : [{ provider, words: failure }])),
        looked_at: checked.length === 0 ? null : iso(Math.min(...checked)),
        ...numberedPage({ page, perPage: per_page, total: sums?.total ?? 0 }),
      };
    });
  }

  async answers(reads: Reads, rows: readonly LeakRow[]): Promise<LeakAnswer[]> {
    const owners = await holdingOwners(
      reads,
      rows.flatMap(({ labels }) => labels.deployment ?? []),
    );
    return rows.map((row) => ({
      id: row.id,
      provider: row.provider,
      is_simulated: providerMode(this.settings.clouds, row.provider) === 'simulated',
      kind: row.kind,
      region: row.region,
      provider_id: row.holding_id,
      name: row.name,
      labels: { ...row.labels },
      deployment_id: row.deployment_id,
      cost_daily: row.micros_per_day === null ? null : row.micros_per_day / MICROS,
      state: row.state,
      first_seen_at: iso(row.first_seen_at),
      last_seen_at: iso(row.last_seen_at),
      confirmed_from: row.state === 'suspected' ? iso(confirmedFrom(row)) : null,
      is_adoptable: row.state === 'confirmed' && isAdoptable(row, owners.get(row.labels.deployment ?? '') ?? null),
      decision: decisionOf(row),
      failure: row.failure === null ? null : { reason: row.failure, words: row.failure_words },
    }));
  }
}

function decisionOf({ decided_by: by, decided_at: at, reason }: LeakRow): LeakAnswer['decision'] {
  const when = isoOrNull(at);
  return by === null || when === null ? null : { by, at: when, reason: reason ?? '' };
}

const COSTLY_FIRST = `select ${LEAK_COLUMNS} from cloud_leaks l where l.state = any($1)
  order by l.micros_per_day desc nulls last, l.id desc limit $2 offset $3`;
const NEWEST_FIRST = `select ${LEAK_COLUMNS} from cloud_leaks l where l.state = any($1)
  order by coalesce(l.ended_at, l.decided_at) desc, l.id desc limit $2 offset $3`;
const SUMS = `select count(*) filter (where state = any($1))::int as total,
  coalesce(sum(micros_per_day) filter (where state = any($2)), 0)::float8 as micros from cloud_leaks`;
