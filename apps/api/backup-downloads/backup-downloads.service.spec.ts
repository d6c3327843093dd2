import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { BackupDownloadAnswer } from '@moorage/contracts';
import { DAY_MS, iso, MINUTE_MS } from '@moorage/domain';
import { ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let jane: TestAccount;
let deployment: number;
let backup: number;
beforeAll(async () => {
  api = await apiHarness();
});
afterAll(() => api.close());
beforeEach(async () => {
  jane = await api.user();
  await api.pay(jane, 3_000);
  deployment = (await ordered(api, jane)).id;
  backup = await copyOf(deployment);
});

async function copyOf(id: number, bytes = 1_000): Promise<number> {
  const [row] = await api.database.sql<{ id: number }>(
    `insert into backups (deployment_id, kind, state, requested_at, started_at, finished_at, snapshot_id, bytes)
     values ($1, 'scheduled', 'complete', now(), now(), now(), repeat('a', 64), $2) returning id`,
    [id, bytes],
  );
  return row?.id ?? 0;
}

const post = (path: string, account = jane) => api.http.post(`/api/deployments/${deployment}${path}`).set(account.auth);

/** Stores an archive as the provisioner does. */
async function prepared(id: number, content = 'the archive'): Promise<void> {
  const { folder } = api.settings.downloads;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${id}.enc`), content);
  const now = await api.deps.db.tx('test.now', (tx) => api.deps.clock.now(tx));
  await api.database.sql(
    `update backup_downloads set state = 'ready', ready_at = $2, expires_at = $3, bytes = $4 where id = $1`,
    [id, iso(now), iso(now + DAY_MS), content.length],
  );
}

async function requestDownload(): Promise<{ download: BackupDownloadAnswer; password: string }> {
  const { body } = await post(`/backups/${backup}/download`).expect(202);
  return body as { download: BackupDownloadAnswer; password: string };
}

describe('archive of a backup', () => {
  it('is prepared with a password that is returned once and stored sealed until then', async () => {
    const { download, password } = await requestDownload();
    expect(password).toMatch(/^[a-zA-Z2-9]{32}$/);
    expect(download).toMatchObject({ backup_id: backup, state: 'preparing', bytes: null });
    expect(download.command).toContain(download.file_name);
    const { body } = await api.http.get(`/api/deployments/${deployment}/backup-downloads`).set(jane.auth).expect(200);
    expect(body).toEqual([download]);
    expect(JSON.stringify(body)).not.toContain(password);
    const [work] = await api.database.sql(`select kind from work where kind = 'prepare-download' and key = $1`, [
      String(download.id),
    ]);
    expect(work).toEqual({ kind: 'prepare-download' });
  });

  it('can be requested only once at a time', async () => {
    await requestDownload();
    const { body } = await post(`/backups/${backup}/download`).expect(409);
    expect(body).toMatchObject({ code: 'BACKUP_STATE', detail: 'An archive of a backup is already being prepared.' });
  });

  it('is rejected with both sizes when it exceeds the limit', async () => {
    const large = await copyOf(deployment, 25_400_000_000);
    const { body } = await post(`/backups/${large}/download`).expect(409);
    expect((body as { detail: string }).detail).toBe(
      'Archives can hold up to 20 GB, and this backup has 26 GB. Restore it as a new deployment instead.',
    );
  });

  it('is not found for another deployment or another account', async () => {
    const other = (await ordered(api, jane)).id;
    await post(`/backups/${await copyOf(other)}/download`).expect(404);
    const stranger = await api.user();
    await post(`/backups/${backup}/download`, stranger).expect(404);
    const admin = await api.admin();
    await post(`/backups/${backup}/download`, admin).expect(404);
  });

  it('is downloaded from an unguessable URL that works for five minutes', async () => {
    const { download } = await requestDownload();
    await post(`/backup-downloads/${download.id}/link`).expect(409);
    await prepared(download.id);
    const { body } = await post(`/backup-downloads/${download.id}/link`).expect(200);
    const { path } = body as { path: string };
    const file = await api.http.get(path).buffer(true).expect(200);
    expect(file.headers['content-disposition']).toBe(`attachment; filename="${download.file_name}"`);
    expect(String(file.body)).toBe('the archive');
    await api.http.get(`/api/backup-downloads/${'a'.repeat(43)}`).expect(404);
    api.pass(5 * MINUTE_MS);
    await api.http.get(path).expect(404);
  });
});
