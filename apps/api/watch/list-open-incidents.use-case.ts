import type { OpenIncidentAnswer, OpenIncidentsAnswer } from '@moorage/contracts';
import { INCIDENT_COLUMNS, type IncidentRow } from '@moorage/database';
import {
  displayName,
  INCIDENT_KINDS,
  INCIDENT_RULES,
  type IncidentKind,
  type Instant,
  iso,
  MONITORED,
  OWN_SERVER,
} from '@moorage/domain';
import { Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { numberedPage } from '../http/numbered-page';
import { incidentAnswer } from '../deployments/incident-answer';

interface Wanted {
  readonly page: number;
  readonly per_page: number;
  readonly provider?: string | undefined;
  readonly kind?: IncidentKind | undefined;
}

type Row = IncidentRow & Omit<OpenIncidentAnswer['deployment'], 'id'>;

/** Pairs of a kind and a kind that explains it, as a table in SQL. */
const EXPLAINED = `(values ${INCIDENT_KINDS.flatMap((kind) =>
  INCIDENT_RULES[kind].explained_by.map((by) => `('${kind}', '${by}')`),
).join(', ')}) as explained (kind, by)`;

const IS_EXPLAINED = `exists (select 1 from ${EXPLAINED} join incidents o on o.kind = explained.by
  where explained.kind = i.kind and o.deployment_id = i.deployment_id and o.ended_at is null)`;

const OPEN = `from incidents i join deployments d on d.id = i.deployment_id join users u on u.id = d.user_id
  where i.ended_at is null and ($1::text is null or coalesce(d.cloud_provider, '${OWN_SERVER}') = $1)
    and ($2::text is null or i.kind = $2) and not ${IS_EXPLAINED}`;

const IMPORTANCE = `array_position(array[${INCIDENT_KINDS.map((kind) => `'${kind}'`).join(', ')}], i.kind)`;

/** Lists the open incidents of all deployments for administrators. Explained incidents are omitted. */
@Injectable()
export class ListOpenIncidents {
  constructor(private readonly db: Db) {}

  list({ page, per_page: perPage, provider, kind }: Wanted): Promise<OpenIncidentsAnswer> {
    return this.db.tx('watch.open-incidents', async (tx) => {
      const filter = [provider ?? null, kind ?? null];
      const [count] = await tx.query<{ total: number }>(`select count(*)::int as total ${OPEN}`, filter);
      const rows = await tx.query<Row>(
        `select ${INCIDENT_COLUMNS}, d.client_name, d.package, d.server_type, d.cloud_provider, d.region, d.support_level,
           d.user_id, u.username
         ${OPEN} order by ${IMPORTANCE}, i.began_at, i.id limit $3 offset $4`,
        [...filter, perPage, (page - 1) * perPage],
      );
      return {
        groups: await groups(tx),
        incidents: rows.map((row) => ({
          ...incidentAnswer(row, []),
          deployment: {
            id: row.deployment_id,
            client_name: displayName({ id: row.deployment_id, client_name: row.client_name }),
            package: row.package,
            server_type: row.server_type,
            cloud_provider: row.cloud_provider,
            region: row.region,
            support_level: row.support_level,
            user_id: row.user_id,
            username: row.username,
          },
        })),
        ...numberedPage({ page, perPage, total: count?.total ?? 0 }),
      };
    });
  }
}

async function groups(tx: Tx): Promise<OpenIncidentsAnswer['groups']> {
  const rows = await tx.query<{
    provider: string | null;
    kind: IncidentKind;
    count: number;
    since: Instant;
    deployments: number;
  }>(
    `select d.cloud_provider as provider, i.kind, count(distinct d.id)::int as count, min(i.began_at) as since,
       (select count(*)::int from deployments r where r.cloud_provider is not distinct from d.cloud_provider
          and r.status = any($3)) as deployments
     ${OPEN} group by d.cloud_provider, i.kind order by 3 desc, ${IMPORTANCE}, 4 limit 100`,
    [null, null, MONITORED],
  );
  return rows.map((row) => ({ ...row, since: iso(row.since) }));
}
