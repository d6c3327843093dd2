import { type BackupKind, type Instant, iso } from '@moorage/domain';
import type { ApiHarness } from './api-harness';

interface Copy {
  readonly kind: BackupKind;
  readonly at: Instant;
  readonly bytes: number;
  readonly catalogue_version: number;
}

/** Adds a failed archive of a deployment's backup and returns its id. */
export async function downloaded(api: ApiHarness, deploymentId: number): Promise<number> {
  const [row] = await api.database.sql<{ id: number }>(
    `insert into backup_downloads (deployment_id, backup_id, state, requested_at) values ($1, 1, 'failed', now()) returning id`,
    [deploymentId],
  );
  return row?.id ?? 0;
}

/** Adds a complete copy of a deployment as the provisioner does and returns its id. */
export async function copied(api: ApiHarness, deploymentId: number, change: Partial<Copy> = {}): Promise<number> {
  const at = change.at ?? (await api.deps.db.tx('test.now', (tx) => api.deps.clock.now(tx)));
  const { kind = 'scheduled', bytes = 1_200_000_000, catalogue_version = 1 } = change;
  await api.database.sql(
    `insert into backup_repositories (deployment_id, mode, created_at, due_at, used_bytes)
     values ($1, 'simulated', $2, $2::timestamptz + interval '1 day', $3) on conflict do nothing`,
    [deploymentId, iso(at), bytes],
  );
  const [row] = await api.database.sql<{ id: number }>(
    `insert into backups (deployment_id, kind, state, requested_at, started_at, finished_at, attempts, snapshot_id, bytes,
       added_bytes, files, dumps, percent, bytes_done, catalogue_version)
     values ($1, $2, 'complete', $3, $3, $3, 1, md5(random()::text), $4, $4, 12, '[{"name": "database", "bytes": 4096}]',
       100, $4, $5) returning id`,
    [deploymentId, kind, iso(at), bytes, catalogue_version],
  );
  return row?.id ?? 0;
}
