import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DAY_MS, iso } from '@moorage/domain';
import { makeRunFolder, removeRunFolder } from '@moorage/testing';
import { type FixtureActor, fixturesOfSuite, type ProvisionerFixture } from '@moorage/tests/services/provisioner';
import type { Repository } from './copy-store';
import { admission, HostAccess } from './host-access';
import { Repositories } from './backup-repositories.service';
import { seededRandom } from '@moorage/server';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
let folder: string;
let server: Server;
/** Responses of the repository server. The last response is repeated. */
let answers: number[];
let requested: (string | undefined)[];

beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
  folder = await makeRunFolder();
  await mkdir(join(folder, 'access'));
  answers = [404];
  requested = [];
  server = createServer((request, response) => {
    requested.push(request.headers.authorization);
    response.statusCode = (answers.length > 1 ? answers.shift() : answers[0]) ?? 404;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.close();
  await removeRunFolder(folder);
});

const never = (): AbortSignal => new AbortController().signal;
const file = (): string => join(folder, 'access', 'htpasswd');
const lines = async (): Promise<string[]> => (await readFile(file(), 'utf8')).trimEnd().split('\n').sort();
function access(url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`): HostAccess {
  // It waits only through the sleep of this clock.
  const clock = { ...fixture.clock, sleep: () => Promise.resolve() };
  return new HostAccess(file(), new URL(url), actor.db, actor.secrets, clock);
}

async function backedUp(mode: 'real' | 'simulated' = 'real'): Promise<Repository & { readonly id: number }> {
  const id = await fixture.order({ support_level: 2 });
  const { ref } = await fixture.row(id);
  await fixture.database.sql(
    'insert into backup_repositories (deployment_id, mode, created_at) values ($1, $2, now())',
    [id, mode],
  );
  const repositories = new Repositories(seededRandom(id), actor.secrets);
  return { id, ...(await actor.db.tx('test', (tx) => repositories.open(tx, { id, ref }, mode))) };
}

describe('access file of backup servers', () => {
  it('has a line without a password for each deployment whose real backups continue', async () => {
    const [first, second] = [await backedUp(), await backedUp()];
    await backedUp('simulated');
    expect(await access().grant(first, never())).toBe(true);
    expect(await lines()).toEqual([first, second].map((of) => admission(of.ref, of.hostPassword)).sort());
    expect(await readFile(file(), 'utf8')).not.toContain(first.hostPassword);
    expect(await readdir(join(folder, 'access'))).toEqual(['htpasswd']);
  });

  it('is not changed for a server that already has access', async () => {
    const one = await backedUp();
    await access().grant(one, never());
    requested = [];
    await access().grant(one, never());
    expect(requested).toEqual([]);
  });

  it('is repaired when lost or changed', async () => {
    const one = await backedUp();
    await access().grant(one, never());
    await writeFile(file(), `${one.ref}:{SHA}another\nstranger:{SHA}x\n`);
    await access().grant(one, never());
    expect(await lines()).toEqual([admission(one.ref, one.hostPassword)]);
  });

  it('drops a server whose backups have ended', async () => {
    const [gone, stored] = [await backedUp(), await backedUp()];
    await access().grant(gone, never());
    await fixture.database.sql('update backup_repositories set ends_at = $2 where deployment_id = $1', [
      gone.id,
      iso(fixture.clock.at + DAY_MS),
    ]);
    await access().write();
    expect(await lines()).toHaveLength(2);
    fixture.clock.at += DAY_MS;
    await access().write();
    expect(await lines()).toEqual([admission(stored.ref, stored.hostPassword)]);
  });
});

describe('server with access', () => {
  it('is admitted once the repository server has read the file', async () => {
    answers = [401, 401, 404];
    const one = await backedUp();
    expect(await access().grant(one, never())).toBe(true);
    expect(requested).toHaveLength(3);
    expect(Buffer.from(requested[0]?.slice('Basic '.length) ?? '', 'base64').toString()).toBe(
      `${one.ref}:${one.hostPassword}`,
    );
  });

  it('is not admitted if the file is never read', async () => {
    answers = [401];
    expect(await access().grant(await backedUp(), never())).toBe(false);
  });

  it('is assumed to be admitted if the platform cannot reach that address', async () => {
    expect(await access('http://127.0.0.1:9/').grant(await backedUp(), never())).toBe(true);
  });
});
