import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ConversationBrief,
  type DeploymentAnswer,
  event,
  type EventData,
  type IncidentsAnswer,
  type MetricsAnswer,
  type OpenIncidentsAnswer,
} from '@moorage/contracts';
import { DAY_MS, HOUR_MS, type IncidentKind, iso, MINUTE_MS, spanOf } from '@moorage/domain';
import { type Neighbours, neighbours, ordered } from '@moorage/tests/services/api/deployments';
import { type ApiHarness, apiHarness, type TestAccount } from '@moorage/tests/services/api/api-harness';

type Changed = EventData<'deployment.incident_changed'>;

let harness: ApiHarness;
let others: Neighbours;
let account: TestAccount;
let deployment: DeploymentAnswer;
let now: number;
beforeAll(async () => {
  harness = await apiHarness();
  others = await neighbours(harness);
});
afterAll(() => harness.close());
beforeEach(async () => {
  account = await harness.user();
  await harness.pay(account, 2_000);
  deployment = await ordered(harness, account);
  await others.moveTo(deployment.id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
  now = Date.parse(deployment.created_at);
});

async function get<Answer>(path: string, who: TestAccount = account): Promise<Answer> {
  const { body } = await harness.http.get(`/api${path}`).set(who.auth);
  return body as Answer;
}
const details = () => get<DeploymentAnswer>(`/deployments/${deployment.id}`);
const incidentsOf = () => get<IncidentsAnswer>(`/deployments/${deployment.id}/incidents`);

/** Writes an incident as the provisioner does. */
async function incident(
  kind: IncidentKind,
  {
    facts = {},
    subject = '',
    began = now - HOUR_MS,
    ended = null,
    id = deployment.id,
  }: { facts?: object; subject?: string; began?: number; ended?: number | null; id?: number } = {},
): Promise<number> {
  const [row] = await harness.database.sql<{ id: number }>(
    `insert into incidents (deployment_id, user_id, kind, subject, facts, began_at, ended_at, settled_at)
     select id, user_id, $2, $3, $4, $5, $6, $6 from deployments where id = $1 returning id`,
    [id, kind, subject, JSON.stringify(facts), iso(began), ended === null ? null : iso(ended)],
  );
  return row?.id ?? 0;
}

async function changed(incident_id: number, facts: Partial<Changed>): Promise<void> {
  const data = {
    deployment_id: deployment.id,
    user_id: deployment.user_id,
    client_name: deployment.client_name,
    incident_id,
    kind: 'down',
    subject: '',
    facts: {},
    change: 'told',
    began_at: '2026-11-30T08:00:00.000Z',
    ended_at: null,
    was_told: true,
    at: '2026-11-30T08:03:00.000Z',
    ...facts,
  } as const;
  await others.append(event('deployment.incident_changed', deployment.id, data));
  await harness.run();
}

describe('deployment details', () => {
  it('omit reachability before the first check', async () => {
    expect(await details()).toMatchObject({ reachability: null, incidents: [] });
  });

  it('show reachability and open incidents, the most important first, while lists omit them', async () => {
    await harness.database.sql(
      `insert into reachability (deployment_id, due_at, state, since, checked_at) values ($1, now(), 'reachable', $2, $2)`,
      [deployment.id, iso(now)],
    );
    await incident('down');
    await incident('server_off', { facts: { provider: 'hetzner' } });
    await incident('disk_full', { facts: { percent: 91 }, ended: now });
    const { reachability, incidents, actions } = await details();
    expect(reachability).toEqual({ state: 'reachable', since: iso(now), checked_at: iso(now) });
    expect(incidents?.map(({ kind, is_explained, action }) => [kind, is_explained, action])).toEqual([
      ['server_off', false, 'start_server'],
      ['down', true, 'restart'],
    ]);
    expect(incidents?.[0]?.remedy.detail).toContain('It costs the same while it is switched off');
    expect(actions).toContain('start_server');
    expect((await details()).worst_incident).toEqual({ kind: 'server_off', severity: 'alarm' });
    const list = await get<DeploymentAnswer[]>('/deployments');
    expect(list.map((row) => [row.reachability, row.incidents])).toEqual([[undefined, undefined]]);
  });

  it('omit reachability once the deployment no longer runs', async () => {
    await harness.http.delete(`/api/deployments/${deployment.id}`).set(account.auth);
    expect(await details()).toMatchObject({ status: 'DESTROYING', reachability: null });
  });
});

describe('incidents of a deployment', () => {
  it('are listed with the reachability of 30 days', async () => {
    await incident('disk_full', {
      facts: { percent: 91 },
      began: now - 3 * DAY_MS,
      ended: now - 3 * DAY_MS + MINUTE_MS,
    });
    await incident('down', { began: now - 10 * DAY_MS, ended: now - 10 * DAY_MS + MINUTE_MS });
    await incident('down', { began: now - 40 * DAY_MS, ended: now - 40 * DAY_MS + MINUTE_MS });
    for (const days of [0, 3, 10])
      await harness.database.sql(
        'insert into metrics (deployment_id, at, span_minutes, checks, failed) values ($1, $2, 60, 60, $3)',
        [deployment.id, iso(spanOf(now - days * DAY_MS, HOUR_MS)), days === 10 ? 6 : 0],
      );
    const { reachable_percent, days, incidents } = await incidentsOf();
    expect(reachable_percent).toBe(96.66);
    expect(days).toHaveLength(30);
    expect(
      days
        .map(({ state }) => state)
        .reverse()
        .slice(0, 11),
    ).toEqual(['good', 'none', 'none', 'trouble', 'none', 'none', 'none', 'none', 'none', 'none', 'down']);
    expect(days.at(-11)).toMatchObject({ state: 'down', reachable_percent: 90 });
    expect(incidents.map(({ kind, message }) => [kind, message.detail])).toEqual([
      ['disk_full', 'The disk was 91 % full.'],
      ['down', "It didn't respond at its address."],
    ]);
  });

  it('state a disk once that is almost full', async () => {
    await incident('disk_filling', { facts: { percent: 85 } });
    await incident('disk_full', { facts: { percent: 93 } });
    const { incidents } = await get<IncidentsAnswer>(`/deployments/${deployment.id}/incidents`);
    expect(incidents.filter(({ ended_at: at }) => at === null).map(({ kind }) => kind)).toEqual(['disk_full']);
  });

  it('are hidden from others', async () => {
    const stranger = await harness.user();
    for (const path of ['incidents', 'metrics'])
      expect((await harness.http.get(`/api/deployments/${deployment.id}/${path}`).set(stranger.auth)).status).toBe(404);
  });
});

describe('metrics', () => {
  const metrics = (period: string) => get<MetricsAnswer>(`/deployments/${deployment.id}/metrics?period=${period}`);

  it('are empty before the first check', async () => {
    expect(await metrics('24h')).toMatchObject({
      points: [],
      latest: { response_ms: null, host: null, host_failure: null, certificate: null, server: null },
    });
  });

  it('have a point per span with the median of its responses, and the events of the period', async () => {
    const hour = spanOf(now, HOUR_MS);
    for (let span = 0; span < 3; span++)
      await harness.database.sql(
        `insert into metrics (deployment_id, at, span_minutes, checks, failed, response_ms, cpu_percent, load, memory_used_mb, disk_used_mb)
         values ($1, $2, 5, 5, $3, $4, $5, 0.333, 800, $6)`,
        [
          deployment.id,
          iso(hour - HOUR_MS + span * 5 * MINUTE_MS),
          span,
          [100 + span, 300 + span, 200 + span],
          10 * span,
          1_000 + span,
        ],
      );
    await harness.database.sql(
      `insert into runs (deployment_id, plan, steps, state, started_at, finished_at) values ($1, 'restart', '{}', 'done', $2, $3)`,
      [deployment.id, iso(now - HOUR_MS), iso(now - HOUR_MS + MINUTE_MS)],
    );
    const day = await metrics('24h');
    expect(
      day.points.map(({ checks, failed, response_ms, cpu_percent, disk_used_mb }) => [
        checks,
        failed,
        response_ms,
        cpu_percent,
        disk_used_mb,
      ]),
    ).toEqual([
      [5, 0, 200, 0, 1_000],
      [5, 1, 201, 10, 1_001],
      [5, 2, 202, 20, 1_002],
    ]);
    expect(day.points[0]).toMatchObject({ load: 0.33, memory_used_mb: 800 });
    expect(day.marks).toContainEqual({
      at: iso(now - HOUR_MS),
      what: 'restart',
      ended_at: iso(now - HOUR_MS + MINUTE_MS),
      succeeded: true,
    });
    const { points, span_s } = await metrics('7d');
    expect(span_s).toBe(3_600);
    expect(points).toMatchObject([{ checks: 15, failed: 3, response_ms: 201, cpu_percent: 10, disk_used_mb: 1_002 }]);
    expect((await metrics('30d')).points).toHaveLength(1);
  });

  it('refuse another period', async () => {
    const { status } = await harness.http.get(`/api/deployments/${deployment.id}/metrics?period=1y`).set(account.auth);
    expect(status).toBe(422);
  });
});

describe('emails about incidents', () => {
  const mails = async () =>
    (await harness.mailsTo(account.email)).filter(({ subject }) => subject.includes(`${deployment.client_name}: `));

  it('are sent when one is told and when it has settled, with the times', async () => {
    const id = await incident('down');
    await changed(id, {});
    await changed(id, { change: 'ended', ended_at: '2026-11-30T08:25:00.000Z' });
    await changed(id, { change: 'settled', ended_at: '2026-11-30T08:25:00.000Z' });
    const [over, begun, ...more] = await mails();
    expect(more).toEqual([]);
    expect(begun?.subject).toBe(`${deployment.client_name}: It doesn't respond at its address`);
    expect(begun?.text.replaceAll(/\s+/g, ' ')).toContain('since 2026-11-30 08:00 UTC');
    expect(over?.subject).toBe(`Over: ${deployment.client_name}: It didn't respond at its address`);
    expect(over?.text.replaceAll(/\s+/g, ' ')).toContain('from 2026-11-30 08:00 UTC to 2026-11-30 08:25 UTC');
  });

  it('go to the owner of the deployment under its stored name, whatever the event contains', async () => {
    const stranger = await harness.user();
    await changed(await incident('down'), { user_id: stranger.id, client_name: 'Log in at evil.example' });
    expect((await harness.mailsTo(stranger.email)).filter(({ subject }) => subject.includes('respond'))).toEqual([]);
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      `${deployment.client_name}: It doesn't respond at its address`,
    ]);
  });

  it('are not sent for an incident that ended before it was told, for a lost server, or against the wish of the owner', async () => {
    const id = await incident('down');
    await changed(id, { change: 'began' });
    await changed(id, { change: 'settled', ended_at: '2026-11-30T08:02:00.000Z', was_told: false });
    await changed(id, { kind: 'server_gone', facts: { provider: 'hetzner' } });
    await harness.database.sql(`update users set muted_mails = '{deployment_trouble}' where id = $1`, [account.id]);
    await changed(id, {});
    expect(await mails()).toEqual([]);
  });
});

describe('incident of a Level 3 deployment', () => {
  const conversations = async () =>
    (await get<{ conversations: ConversationBrief[] }>('/support/conversations')).conversations;

  it('starts one conversation with support, to which later incidents are added as notes', async () => {
    await harness.database.sql('update deployments set support_level = 3 where id = $1', [deployment.id]);
    await changed(await incident('down'), {});
    const second = await incident('disk_full', { facts: { percent: 95 } });
    await changed(second, { kind: 'disk_full', facts: { percent: 95 } });
    const [conversation, ...more] = await conversations();
    expect(more).toEqual([]);
    expect(conversation).toMatchObject({ subject: `Incident of ${deployment.client_name}`, state: 'open' });
    const notes = await harness.database.sql<{ message: string }>('select message from support_entries');
    expect(notes.map(({ message }) => message)).toEqual([expect.stringContaining('The disk is 95 % full.')]);
    await changed(second, {
      kind: 'disk_full',
      facts: { percent: 95 },
      change: 'settled',
      ended_at: '2026-11-30T08:25:00.000Z',
    });
    const [end] = await harness.database.sql<{ message: string }>(
      'select message from support_entries order by id desc limit 1',
    );
    expect(end?.message).toContain('The disk was 95 % full. It ended at 2026-11-30 08:25 UTC.');
    await harness.http.post(`/api/support/conversations/${conversation?.id ?? 0}/close`).set(account.auth);
    await changed(second, { kind: 'disk_full', facts: { percent: 99 } });
    expect(await conversations()).toHaveLength(2);
  });

  it('starts none for lower levels', async () => {
    await changed(await incident('down'), {});
    expect(await conversations()).toEqual([]);
  });
});

describe('server that is switched off', () => {
  const start = (who = account, body?: object) =>
    harness.http.post(`/api/deployments/${deployment.id}/start-server`).set(who.auth).send(body);

  it('is started by its owner without a body, and the price stays', async () => {
    await incident('server_off', { facts: { provider: 'hetzner' } });
    const { status, body } = await start();
    expect([status, (body as DeploymentAnswer).status]).toEqual([200, 'RESTARTING']);
    expect((body as DeploymentAnswer).hourly_cost).toBe(deployment.hourly_cost);
    expect(
      await harness.database.sql(`select action from audit_records where action = 'deployment.server_started'`),
    ).toHaveLength(1);
    expect((await start()).status).toBe(409);
  });

  it('cannot be started while it runs or by others, and support must give a reason', async () => {
    expect((await start()).body).toMatchObject({ code: 'DEPLOYMENT_STATE' });
    await incident('server_off', { facts: { provider: 'hetzner' } });
    expect((await start(await harness.user())).status).toBe(404);
    const admin = await harness.admin();
    expect((await start(admin)).status).toBe(422);
    expect((await start(admin, { reason: 'Asked by telephone.' })).status).toBe(200);
  });
});

describe('open incidents of all deployments', () => {
  it('are listed for administrators by provider and kind, without those that others explain', async () => {
    const admin = await harness.admin();
    const neighbour = await ordered(harness, account);
    await others.moveTo(neighbour.id, 'PROVISIONING', 'DNS_VALIDATION', 'READY');
    await harness.database.sql('delete from incidents');
    for (const { id } of [deployment, neighbour]) {
      await incident('server_off', { facts: { provider: 'hetzner' }, id });
      await incident('down', { id });
    }
    await incident('disk_filling', { facts: { percent: 82 }, began: now - 2 * HOUR_MS });
    await incident('disk_full', { facts: { percent: 93 }, id: neighbour.id });
    await incident('slow', { facts: { seconds: 4 }, ended: now });
    const all = await get<OpenIncidentsAnswer>('/admin/incidents', admin);
    expect(all.groups.map(({ provider, kind, count }) => [provider, kind, count])).toEqual([
      ['hetzner', 'server_off', 2],
      ['hetzner', 'disk_full', 1],
      ['hetzner', 'disk_filling', 1],
    ]);
    expect(all.incidents.map(({ kind, deployment: { id, username } }) => [kind, id, username])).toEqual([
      ['server_off', deployment.id, account.username],
      ['server_off', neighbour.id, account.username],
      ['disk_full', neighbour.id, account.username],
      ['disk_filling', deployment.id, account.username],
    ]);
    const some = await get<OpenIncidentsAnswer>('/admin/incidents?kind=disk_filling&provider=hetzner', admin);
    expect(some.incidents.map(({ kind }) => kind)).toEqual(['disk_filling']);
    expect((await harness.http.get('/api/admin/incidents').set(account.auth)).status).toBe(403);
  });
});
