import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeploymentLogsAnswer, LogSearchAnswer } from '@moorage/contracts';
import { LOG_MESSAGES, MINUTE_MS } from '@moorage/domain';
import { type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

let api: ApiHarness;
let others: Neighbours;
let jane: TestAccount;
beforeAll(async () => {
  api = await apiHarness();
  others = await neighbours(api);
});
afterAll(() => api.close());
beforeEach(async () => {
  jane = await api.user();
  await api.pay(jane, 10_000);
});

const SEEN = { server_exists: true, instance_ip: '5.9.9.9' };
async function ready(): Promise<number> {
  const { id } = await ordered(api, jane, {});
  await others.moveTo(id, 'PROVISIONING', ['DNS_VALIDATION', SEEN], 'READY');
  await api.database.sql(`update runs set state = 'done', finished_at = now() where deployment_id = $1`, [id]);
  return id;
}
const path = (id: number, what = '') => `/api/deployments/${id}/logs${what}`;
const read = async (id: number, query = '', account = jane) =>
  (await api.http.get(path(id, query)).set(account.auth).expect(200)).body as DeploymentLogsAnswer;
const search = async (id: number, contains: string) =>
  (
    await api.http
      .get(path(id, `/search?contains=${encodeURIComponent(contains)}`))
      .set(jane.auth)
      .expect(200)
  ).body as LogSearchAnswer;
const restart = (id: number, container: string, account = jane) =>
  api.http.post(`/api/deployments/${id}/containers/${container}/restart`).set(account.auth);
const workOf = (kind: string, key: number) =>
  api.database.sql('select key from work where kind = $1 and key = $2', [kind, String(key)]);
const auditOf = (id: number) =>
  api.database.sql<{ action: string; actor: number; facts: object }>(
    `select action, actor_user_id as actor, facts from audit_records
     where subject = $1 and action in ('deployment.logs_read', 'deployment.container_restarted') order by id`,
    [`deployment:${id}`],
  );

const CONTAINER = {
  name: 'gerbil',
  state: 'running',
  health: 'healthy',
  restarts: 0,
  started_at: '2026-12-01T10:00:00.000Z',
  memory_bytes: 1000,
  declared: true,
};
/** Stores lines as the provisioner does. */
async function written(id: number, ...lines: [container: string, level: string, text: string][]): Promise<void> {
  await api.database.sql(`update log_follows set state = 'following', containers = $2 where deployment_id = $1`, [
    id,
    JSON.stringify([CONTAINER, { ...CONTAINER, name: 'proxy', declared: false }]),
  ]);
  for (const [container, level, text] of lines)
    await api.database.sql(
      `insert into log_lines (deployment_id, stamp, at, container, level, text)
       values ($1, '2026-12-01T10:00:00.000000000Z', '2026-12-01T10:00:00Z', $2, $3, $4)`,
      [id, container, level, text],
    );
}
const textsOf = ({ lines }: Pick<DeploymentLogsAnswer, 'lines'>): string[] => lines.map(({ text }) => text);

describe('logs of a deployment', () => {
  it('are followed from the first read on, and each line is returned once', async () => {
    const id = await ready();
    const first = await read(id);
    expect(first).toMatchObject({ state: 'connecting', reason: null, lines: [], containers: [], has_more: false });
    expect(await workOf('follow-logs', id)).toHaveLength(1);
    await written(id, ['gerbil', 'info', 'one'], ['proxy', 'error', 'two']);
    const second = await read(id);
    expect(second).toMatchObject({ state: 'following', followed_since: first.followed_since });
    expect(second.lines).toMatchObject([
      { container: 'gerbil', level: 'info', text: 'one', at: '2026-12-01T10:00:00.000Z' },
      { container: 'proxy', level: 'error', text: 'two' },
    ]);
    expect(second.containers).toMatchObject([
      { name: 'gerbil', is_restartable: true, restart: null },
      { name: 'proxy', is_restartable: false },
    ]);
    await written(id, ['gerbil', 'none', 'three']);
    expect(textsOf(await read(id, `?after=${second.lines.at(-1)?.seq}`))).toEqual(['three']);
  });

  it('are filtered by container, level and text', async () => {
    const id = await ready();
    await read(id);
    await written(id, ['gerbil', 'info', 'Peer A%_'], ['gerbil', 'error', 'peer b'], ['proxy', 'error', 'other']);
    expect(textsOf(await read(id, '?container=gerbil'))).toEqual(['Peer A%_', 'peer b']);
    expect(textsOf(await read(id, '?log_level=error'))).toEqual(['peer b', 'other']);
    expect(textsOf(await read(id, '?contains=PEER'))).toEqual(['Peer A%_', 'peer b']);
    expect(textsOf(await read(id, '?contains=a%25_'))).toEqual(['Peer A%_']);
    await api.http.get(path(id, '?log_level=loud')).set(jane.auth).expect(422);
    await api.http.get(path(id, '?container=a%20b')).set(jane.auth).expect(422);
  });

  it('come in parts of 500 lines', async () => {
    const id = await ready();
    await read(id);
    await written(id, ...Array.from({ length: 501 }, (_, n): [string, string, string] => ['gerbil', 'none', `${n}`]));
    const first = await read(id);
    expect([first.lines.length, first.has_more]).toEqual([500, true]);
    const second = await read(id, `?after=${first.lines.at(-1)?.seq}`);
    expect([textsOf(second), second.has_more]).toEqual([['500'], false]);
  });

  it('stay followed as long as they are read', async () => {
    const id = await ready();
    await read(id);
    const until = async () =>
      (
        await api.database.sql<{ ms: number }>(
          `select extract(epoch from wanted_until - started_at)::float8 * 1000 as ms from log_follows where deployment_id = $1`,
          [id],
        )
      )[0]?.ms ?? 0;
    await api.database.sql(
      `update log_follows set wanted_until = started_at - interval '1 minute' where deployment_id = $1`,
      [id],
    );
    await api.database.sql(`delete from work where kind = 'follow-logs' and key = $1`, [String(id)]);
    await read(id);
    expect(await until()).toBeGreaterThan(25_000);
    expect(await workOf('follow-logs', id)).toHaveLength(1);
  });

  it('of a server that cannot be reached say why', async () => {
    const id = await ready();
    await read(id);
    const { detail, code } = LOG_MESSAGES.busy;
    await api.database.sql(
      `update log_follows set state = 'unreachable', message = $2, message_code = $3, message_facts = '{}'
       where deployment_id = $1`,
      [id, detail, code],
    );
    expect(await read(id)).toMatchObject({ state: 'unreachable', reason: { code, detail } });
  });

  it('that wait for a place say so', async () => {
    const id = await ready();
    await read(id);
    await api.database.sql(
      `update log_follows set started_at = started_at - interval '25 seconds' where deployment_id = $1`,
      [id],
    );
    expect(await read(id)).toMatchObject({ state: 'connecting', reason: { code: LOG_MESSAGES.waiting.code } });
  });

  it('of a deployment that does not run are over', async () => {
    const { id } = await ordered(api, jane, {});
    expect(await read(id)).toMatchObject({ state: 'over', reason: LOG_MESSAGES.over, followed_since: null });
    expect(await search(id, 'text')).toMatchObject({ state: 'over' });
    expect(await workOf('follow-logs', id)).toEqual([]);
  });

  it('of another user do not exist', async () => {
    const id = await ready();
    const stranger = await api.user();
    await api.http.get(path(id)).set(stranger.auth).expect(404);
    await api.http.get(path(id, '/search?contains=text')).set(stranger.auth).expect(404);
    await restart(id, 'gerbil', stranger).expect(404);
    expect(await api.database.sql('select 1 from log_follows where deployment_id = $1', [id])).toEqual([]);
  });

  it('are recorded once in ten minutes for each administrator, and never for the owner', async () => {
    const id = await ready();
    const [one, two] = [await api.admin(), await api.admin()];
    await read(id);
    for (const admin of [one, one, two]) await read(id, '', admin);
    const entry = { action: 'deployment.logs_read', facts: {} };
    expect(await auditOf(id)).toEqual([
      { ...entry, actor: one.id },
      { ...entry, actor: two.id },
    ]);
    await api.database.sql('delete from log_follows where deployment_id = $1', [id]);
    const { body } = await api.http.get('/api/users/self/activity').set(jane.auth);
    expect(JSON.stringify(body)).toContain('Logs viewed');
  });
});

describe('a search in older logs', () => {
  it('is answered by the provisioner, and repeated after a minute', async () => {
    const id = await ready();
    expect(await search(id, 'Peer')).toEqual({ state: 'searching', lines: [], left_out: 0 });
    expect(await search(id, 'Peer')).toMatchObject({ state: 'searching' });
    const line = { stamp: '2026-11-30T10:00:00.123456789Z', container: 'gerbil', level: 'info', text: 'Peer A' };
    await api.database.sql(
      `update log_searches set state = 'done', answered_at = asked_at, lines = $2, left_out = 7 where deployment_id = $1`,
      [id, JSON.stringify([line])],
    );
    expect(await search(id, 'Peer')).toEqual({
      state: 'done',
      left_out: 7,
      lines: [{ seq: 1, at: '2026-11-30T10:00:00.123Z', container: 'gerbil', level: 'info', text: 'Peer A' }],
    });
    await api.database.sql(
      `update log_searches set answered_at = asked_at - interval '61 seconds' where deployment_id = $1`,
      [id],
    );
    expect(await search(id, 'Peer')).toMatchObject({ state: 'searching', lines: [] });
  });

  it('is one of at most five', async () => {
    const id = await ready();
    for (let number = 0; number < 8; number++) await search(id, `text ${number}`);
    const [row] = await api.database.sql<{ count: number }>(
      'select count(*)::int as count from log_searches where deployment_id = $1',
      [id],
    );
    expect(row?.count).toBe(5);
    await api.http.get(path(id, '/search?contains=ab')).set(jane.auth).expect(422);
  });
});

describe('a restart of a container', () => {
  it('is requested, recorded and shown in the activity', async () => {
    const id = await ready();
    await read(id);
    await written(id);
    await restart(id, 'gerbil').expect(202);
    const [row] = await api.database.sql<{ id: number }>('select id from container_restarts where deployment_id = $1', [
      id,
    ]);
    expect(await workOf('restart-container', row?.id ?? 0)).toHaveLength(1);
    expect((await read(id)).containers[0]?.restart).toMatchObject({ state: 'asked', failure: null });
    const { detail, code } = LOG_MESSAGES.restart_failed;
    await api.database.sql(
      `update container_restarts set state = 'failed', finished_at = requested_at, failure_reason = $2, failure_code = $3,
         failure_facts = '{}' where deployment_id = $1`,
      [id, detail, code],
    );
    expect((await read(id)).containers[0]?.restart).toMatchObject({ state: 'failed', failure: { code } });
    expect(await auditOf(id)).toEqual([
      { action: 'deployment.container_restarted', actor: jane.id, facts: { name: 'gerbil' } },
    ]);
    const { body } = await api.http.get('/api/users/self/activity').set(jane.auth);
    expect(JSON.stringify(body)).toContain('Restart of container \\"gerbil\\" requested');
  });

  it('is possible once a minute for each container', async () => {
    const id = await ready();
    await restart(id, 'gerbil').expect(202);
    const { body, headers } = await restart(id, 'gerbil').expect(429);
    expect(body).toMatchObject({ code: 'RATE_LIMITED' });
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(MINUTE_MS / 1_000);
    await restart(id, 'traefik').expect(202);
    await api.database.sql(
      `update container_restarts set requested_at = requested_at - interval '61 seconds' where deployment_id = $1`,
      [id],
    );
    await restart(id, 'gerbil').expect(202);
  });

  it('needs a reason from staff, which its owner reads', async () => {
    const id = await ready();
    const admin = await api.admin();
    const { body } = await restart(id, 'gerbil', admin).expect(422);
    expect(body).toMatchObject({ errors: [{ path: 'reason' }] });
    expect(await auditOf(id)).toEqual([]);
    await restart(id, 'gerbil', admin).send({ reason: 'You asked for it.' }).expect(202);
    expect(await auditOf(id)).toMatchObject([{ action: 'deployment.container_restarted', actor: admin.id }]);
    await api.run();
    const told = (await api.mailsTo(jane.email)).filter(({ text }) => text.includes('You asked for it.'));
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('Restart of container "gerbil" requested')]);
  });

  it('is refused for a container that the deployment does not have or that is not part of it', async () => {
    const id = await ready();
    await read(id);
    await written(id);
    await restart(id, 'other').expect(404);
    await restart(id, 'proxy').expect(404);
    await restart(id, '-f').expect(404);
    expect(await auditOf(id)).toEqual([]);
  });

  it('is refused while the server is switched off', async () => {
    const id = await ready();
    await api.database.sql(
      `insert into incidents (deployment_id, user_id, kind, subject, facts, began_at)
       select id, user_id, 'server_off', '', '{"provider":"hetzner"}', now() from deployments where id = $1`,
      [id],
    );
    expect((await restart(id, 'gerbil').expect(409)).body).toMatchObject({
      code: 'DEPLOYMENT_STATE',
      detail: LOG_MESSAGES.switched_off.detail,
    });
    expect(await auditOf(id)).toEqual([]);
    await api.database.sql('update incidents set ended_at = now() where deployment_id = $1', [id]);
    await restart(id, 'gerbil').expect(202);
  });

  it('is refused while the deployment is being changed', async () => {
    const id = await ready();
    await api.database.sql(
      `insert into runs (deployment_id, plan, steps, started_at) values ($1, 'restart', '{finish}', now())`,
      [id],
    );
    expect((await restart(id, 'gerbil').expect(409)).body).toMatchObject({
      code: 'DEPLOYMENT_STATE',
      detail: LOG_MESSAGES.busy.detail,
    });
    await api.http.post(`/api/deployments/${id}/restart`).set(jane.auth).expect(200);
    expect((await restart(id, 'gerbil').expect(409)).body).toMatchObject({ code: 'DEPLOYMENT_STATE' });
  });
});
