import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { ActivityAnswer, ContainerAnswer, DeploymentLogsAnswer, LogSearchAnswer } from '@moorage/contracts';
import { MASK } from '@moorage/domain';
import { chapters } from './chapters';
import { type Person, person, until } from './customer';
import { draftOf } from './first-deployment';
import { createPayingCustomer } from './paying-customer';
import { type Product, startProduct } from './product';

const CONTAINER = 'pangolin';

/** Follows the logs of simulated containers, from the first line to the restart of one. */
describe('logs of a deployment in the sandbox', () => {
  let product: Product;
  let ada: Person;
  let stranger: Person;
  let id: number;
  let first: DeploymentLogsAnswer;
  const chapter = chapters(300_000, () => Promise.resolve(product.log().slice(-4_000)));
  beforeAll(async () => {
    product = await startProduct(['all-in-one']);
    ada = await createPayingCustomer(product, 'ada', 100);
    stranger = await createPayingCustomer(product, 'eve', 0);
  }, 300_000);
  afterAll(() => product.stop());

  const read = async (query = '', who: Person = ada) =>
    (await who.call<DeploymentLogsAnswer>('GET', `/deployments/${id}/logs${query}`)).body;
  const pangolin = async (): Promise<ContainerAnswer | undefined> =>
    (await read()).containers.find(({ name }) => name === CONTAINER);

  chapter('a deployment becomes ready', async () => {
    const created = await ada.call<{ id: number }>('POST', '/deployments/', draftOf('ada'));
    expect(created.status).toBe(201);
    id = created.body.id;
    expect(await read()).toMatchObject({ state: 'over', lines: [] });
    await until(
      'READY',
      async () => (await ada.call<{ status: string }>('GET', `/deployments/${id}`)).body,
      ({ status }) => status === 'READY',
      90_000,
    );
  });

  chapter('its logs are followed', async () => {
    first = await until('lines', read, ({ lines }) => lines.length > 0);
    expect(first.state).toBe('following');
    expect(first.containers.map(({ name }) => name)).toContain(CONTAINER);
    expect(first.containers.every(({ state, is_restartable }) => state === 'running' && is_restartable)).toBe(true);
  });

  chapter('a new line appears, and no line comes twice', async () => {
    const after = first.lines.at(-1)?.seq ?? 0;
    const next = await until(
      'a new line',
      () => read(`?after=${after}`),
      ({ lines }) => lines.length > 0,
    );
    const all = [...first.lines, ...next.lines];
    expect(new Set(all.map(({ at, container, text }) => `${at} ${container} ${text}`)).size).toBe(all.length);
  });

  chapter('secrets are masked', async () => {
    const { lines } = await until('a secret', read, (logs) => logs.lines.some(({ text }) => text.includes(MASK)));
    expect(lines.map(({ text }) => text).join('\n')).not.toContain('not-the-right-one');
    const [row] = await product.sql<{ env: string }>(
      `select host -> 'files' -> ('/opt/moorage/' || d.ref || '/.env') ->> 'data' as env from sandbox_servers s
       join deployments d on s.labels ->> 'deployment' = d.ref where d.id = $1 and s.state <> 'gone'`,
      [id],
    );
    const environment = Buffer.from(row?.env ?? '', 'base64').toString();
    const secret = /^[A-Z_]*(?:SECRET|PASSWORD|KEY)[A-Z_]*=['"]?([^'"\n]{6,})/m.exec(environment)?.[1];
    expect(secret).toBeDefined();
    expect(JSON.stringify(lines)).not.toContain(secret);
  });

  chapter('lines are filtered by level, and older ones are searched on the server', async () => {
    const { lines } = await read('?log_level=info');
    expect(lines.length).toBeGreaterThan(0);
    expect(new Set(lines.map(({ level }) => level))).toEqual(new Set(['info']));
    const found = await until(
      'the search',
      async () =>
        (await ada.call<LogSearchAnswer>('GET', `/deployments/${id}/logs/search?contains=server%20STARTED`)).body,
      ({ state }) => state !== 'searching',
    );
    expect(found.state).toBe('done');
    expect(found.lines[0]?.text).toContain('Server started');
  });

  chapter('a container is restarted once a minute', async () => {
    const before = await pangolin();
    const path = `/deployments/${id}/containers/${CONTAINER}/restart`;
    expect((await ada.call('POST', path)).status).toBe(202);
    expect((await ada.call('POST', path)).status).toBe(429);
    const after = await until('the restart', pangolin, (container) => container?.restart?.state === 'done');
    const started = await until('the start', pangolin, (container) => container?.started_at !== before?.started_at);
    expect(after?.restart?.failure).toBeNull();
    expect(Date.parse(started?.started_at ?? '')).toBeGreaterThan(Date.parse(before?.started_at ?? ''));
    const { body } = await ada.call<ActivityAnswer>('GET', `/users/self/activity?deployment_id=${id}`);
    expect(JSON.stringify(body)).toContain(`Restart of container \\"${CONTAINER}\\" requested`);
  });

  chapter('nobody else sees them, except an administrator, which the owner can see', async () => {
    expect((await stranger.call('GET', `/deployments/${id}/logs`)).status).toBe(404);
    expect((await stranger.call('POST', `/deployments/${id}/containers/${CONTAINER}/restart`)).status).toBe(404);
    const admin = person(product, 'admin@moorage.localhost', 'journey-admin');
    await admin.login();
    for (let times = 0; times < 3; times++) expect((await read('', admin)).lines.length).toBeGreaterThan(0);
    const audited = await product.sql(
      `select 1 from audit_records where action = 'deployment.logs_read' and subject = $1`,
      [`deployment:${id}`],
    );
    expect(audited).toHaveLength(1);
  });

  chapter('they end within a minute after the last read', async () => {
    await until(
      'the end',
      () => product.sql('select 1 from log_follows where deployment_id = $1', [id]),
      (rows) => rows.length === 0,
      60_000,
    );
    expect(await product.sql('select 1 from log_lines where deployment_id = $1', [id])).toEqual([]);
  });
});
