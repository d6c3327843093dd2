import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { backupSecrets, downloadPassword, PREPARE_DOWNLOAD } from '@moorage/contracts';
import { archiveCommand, DAY_MS, HOUR_MS, iso } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { type FixtureActor, type ProvisionerFixture, fixturesOfSuite } from '@moorage/tests/services/provisioner';
import { backupsOf } from '@moorage/tests/services/provisioner/backups';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moorage-downloads-'));
  fixture = await openFixture();
  actor = await fixture.actor({ backups: { downloads: { folder, bytes_max: 100_000 } } });
});
afterEach(() => rm(folder, { recursive: true }));

const { backUp, copies, ready, write } = backupsOf(
  () => fixture,
  () => actor,
);

/** Does the same as the api and writes the row, the password and the work in one transaction. */
async function request(deploymentId: number, backupId: number): Promise<number> {
  const work = new WorkSchedule({ clock: fixture.clock });
  return fixture.owner.tx('ask-download', async (tx) => {
    const [row] = await tx.query<{ id: number }>(
      `insert into backup_downloads (deployment_id, backup_id, state, requested_at) values ($1, $2, 'preparing', $3) returning id`,
      [deploymentId, backupId, iso(fixture.clock.at)],
    );
    const id = row?.id ?? 0;
    await actor.secrets.put(tx, backupSecrets(deploymentId), downloadPassword(id), 'open-sesame');
    await work.schedule(tx, { kind: PREPARE_DOWNLOAD, key: String(id), due_at: fixture.clock.at });
    return id;
  });
}

const rowOf = async (id: number): Promise<unknown> =>
  (await fixture.database.sql('select state, failure_reason from backup_downloads where id = $1', [id]))[0];
const namesOf = (id: number): Promise<string[]> =>
  fixture.owner.tx('names', (tx) => actor.secrets.names(tx, backupSecrets(id)));

describe('backup archive', () => {
  it('contains the data and opens with the displayed command and its password', async () => {
    const id = await ready();
    await write(id, 'three sites');
    const download = await request(id, await backUp(id));
    await fixture.settle(actor, 10_000);
    expect(await rowOf(download)).toEqual({ state: 'ready', failure_reason: null });
    const [open, untar] = archiveCommand(`${download}.enc`).split(' | ');
    expect(untar).toBe('tar -xz');
    const listed = execFileSync('sh', ['-c', `${open} -pass stdin | tar -xzO config/db/db.sqlite`], {
      cwd: folder,
      input: 'open-sesame',
    });
    expect(listed.toString()).toBe('three sites');
    expect(await namesOf(id)).toEqual(['backup_host_password', 'backup_password']);
  });

  it('is stored for a day', async () => {
    const id = await ready();
    const download = await request(id, await backUp(id));
    await fixture.settle(actor, 10_000);
    fixture.clock.at += DAY_MS - HOUR_MS;
    await actor.provisioner.downloads.removeOld();
    expect(existsSync(join(folder, `${download}.enc`))).toBe(true);
    fixture.clock.at += HOUR_MS;
    await actor.provisioner.downloads.removeOld();
    expect(existsSync(join(folder, `${download}.enc`))).toBe(false);
    expect(await rowOf(download)).toEqual({ state: 'expired', failure_reason: null });
  });

  it('is not created from a damaged copy and leaves nothing behind', async () => {
    const id = await ready();
    const backup = await backUp(id);
    const [copy = ''] = await copies(id);
    fixture.copies.write((await fixture.row(id)).ref, copy, 'half');
    const download = await request(id, backup);
    await fixture.settle(actor, HOUR_MS);
    expect(await rowOf(download)).toEqual({
      state: 'failed',
      failure_reason: "The backup is damaged and can't be used.",
    });
    expect(existsSync(join(folder, `${download}.part`))).toBe(false);
    expect(await namesOf(id)).not.toContain(downloadPassword(download));
  });

  it('is aborted when it exceeds the maximum archive size', async () => {
    const id = await ready();
    await write(id, Array.from({ length: 60_000 }, (_, index) => index * 7_919).join(' '));
    const download = await request(id, await backUp(id));
    await fixture.settle(actor, HOUR_MS);
    expect(await rowOf(download)).toMatchObject({ state: 'failed' });
    expect(existsSync(join(folder, `${download}.part`))).toBe(false);
  });
});
