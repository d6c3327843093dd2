import type { BackupAnswer } from '@moorage/contracts';
import type { Backups } from '../../../data/backups';

const HOUR_MS = 3_600_000;

/** Copy of a Pangolin, taken the night before the time of the mockups. Complete by default. */
export function copyOf(over: Partial<BackupAnswer> = {}): BackupAnswer {
  const started = over.started_at === undefined ? '2026-11-21T03:12:00.000Z' : over.started_at;
  const state = over.state ?? 'complete';
  const isComplete = state === 'complete';
  return {
    id: 71,
    kind: 'scheduled',
    state,
    requested_at: started ?? '2026-11-21T03:12:00.000Z',
    started_at: started,
    finished_at: isComplete && started !== null ? new Date(Date.parse(started) + 38_000).toISOString() : null,
    failure: null,
    retry_at: null,
    bytes: isComplete ? 1_240_000_000 : null,
    added_bytes: isComplete ? 31_000_000 : null,
    files: isComplete ? 412 : null,
    dumps: isComplete ? [{ name: 'pangolin', bytes: 12_400_000 }] : [],
    percent: null,
    bytes_done: null,
    removed_at: null,
    removed_because: null,
    restorable: isComplete,
    release: isComplete ? '1.24.0' : null,
    is_withdrawn: false,
    ...over,
  };
}

const text = (en: string, de: string) => ({ en, de });

/** Backups of a Pangolin at level 2 on a real server. */
export function backupsOf(over: Partial<Backups> = {}): Backups {
  return {
    deployment_id: 1053,
    mode: 'real',
    release: '1.24.0',
    days: 7,
    next_at: '2026-11-22T03:12:00.000Z',
    kept_until: null,
    kept_until_if_deleted: null,
    used_bytes: 1_900_000_000,
    quota_bytes: 20_000_000_000,
    stale: false,
    copies: [
      copyOf(),
      ...[1, 2].map((days) =>
        copyOf({
          id: 71 - days,
          started_at: new Date(Date.parse('2026-11-21T03:12:00.000Z') - days * 24 * HOUR_MS).toISOString(),
        }),
      ),
    ],
    included: [
      text("Pangolin's database and settings", 'Datenbank und Einstellungen von Pangolin'),
      text('Certificates and Traefik rules', 'Zertifikate und Traefik-Regeln'),
    ],
    not_included: [text('Log files', 'Protokolldateien')],
    checked: { at: '2026-11-21T05:00:00.000Z', ok: true, failure: null },
    tested: { at: '2026-11-20T08:00:00.000Z', ok: true, failure: null, bytes: 1_200_000_000, duration_ms: 48_000 },
    restore: null,
    failed_restore: null,
    bucket: null,
    bucket_refused: null,
    backup_refused: null,
    restore_refused: null,
    undo_refused: null,
    ...over,
  };
}
