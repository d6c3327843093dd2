import { beforeEach, describe, expect, it } from '@jest/globals';
import { APPLY_DOMAINS } from '@moorage/contracts';
import { type FurtherDomainRow, furtherDomains, stateOfDomain } from '@moorage/database';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from '@moorage/domain';
import { WorkSchedule } from '@moorage/messaging';
import { parse } from 'yaml';
import { STACK_ROOT } from '../ssh/command';
import {
  crashPoints,
  type FixtureActor,
  fixturesOfSuite,
  type ProvisionerFixture,
} from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
let id: number;
/** Further domains whose DNS records exist. */
let withRecord: Set<string>;

const FIRST = 'www.first.net';
const SECOND = 'second.org';

beforeEach(async () => {
  fixture = await openFixture();
  actor = await fixture.actor();
  withRecord = new Set([FIRST]);
  fixture.dnsRight = (host) => ![FIRST, SECOND].includes(host) || withRecord.has(host);
  id = await fixture.order({ package: 'pangolin' });
  await fixture.until(actor, id, 'READY');
});

/** Does the same as the api and writes the row and the work in one transaction. */
const change = (sql: string, params: readonly (string | number)[]): Promise<void> =>
  fixture.owner.tx('change-domains', async (tx) => {
    await tx.execute(sql, params);
    const work = new WorkSchedule({ clock: fixture.clock });
    await work.schedule(tx, { kind: APPLY_DOMAINS, key: String(id), due_at: fixture.clock.at });
  });
const add = (host: string): Promise<void> =>
  change(`insert into deployment_domains (deployment_id, host, kind, added_at) values ($1, $2, 'redirect', $3)`, [
    id,
    host,
    iso(fixture.clock.at),
  ]);
const remove = (host: string): Promise<void> =>
  change('update deployment_domains set removed_at = $2 where host = $1', [host, iso(fixture.clock.at)]);

const rows = (): Promise<FurtherDomainRow[]> => fixture.owner.tx('rows', (tx) => furtherDomains(tx, id));
const states = async (): Promise<string[]> =>
  (await rows()).map((row) => `${row.host} ${stateOfDomain(row, fixture.clock.at)}`);
const changes = (): Promise<string[]> =>
  fixture.database
    .sql<{ host: string; state: string }>(
      `select data ->> 'host' as host, data ->> 'state' as state from outbox
       where event_name = 'deployment.further_domain_changed' order by sequence`,
    )
    .then((found) => found.map(({ host, state }) => `${host} ${state}`));

/** Returns the redirected hosts in the file on the server, and their target. */
async function redirects(): Promise<{ hosts: string[]; target: string | undefined }> {
  const { ref, instance_ip: address } = await fixture.row(id);
  const file = `${STACK_ROOT}/${ref}/config/traefik/rules/further-domains.yml`;
  const data = fixture.hosts.at(address ?? '')?.files[file]?.data ?? '';
  const { http } = parse(Buffer.from(data, 'base64').toString()) as {
    http?: {
      routers: Record<string, { rule: string; entryPoints: string[]; tls?: object }>;
      middlewares: Record<string, { redirectRegex: { replacement: string } }>;
    };
  };
  const secure = Object.values(http?.routers ?? {}).filter(({ tls }) => tls !== undefined);
  return {
    hosts: secure.map(({ rule }) => rule.slice('Host(`'.length, -2)),
    target: http?.middlewares['further-domain']?.redirectRegex.replacement,
  };
}

describe('further domain', () => {
  it('gets its redirect and its certificate when its record is correct, while another waits for its record', async () => {
    await add(FIRST);
    await add(SECOND);
    await fixture.settle(actor, MINUTE_MS);
    const { domain } = await fixture.row(id);
    expect(await redirects()).toEqual({ hosts: [FIRST], target: `https://admin.${domain ?? ''}/\${1}` });
    expect(await states()).toEqual([`${FIRST} active`, `${SECOND} record_missing`]);
    expect((await rows())[1]?.record).toMatchObject({
      type: 'A',
      value: (await fixture.row(id)).instance_ip,
      right: false,
    });
    withRecord.add(SECOND);
    await fixture.settle(actor, 10 * MINUTE_MS);
    expect((await redirects()).hosts).toEqual([FIRST, SECOND]);
    expect(await changes()).toEqual([
      `${SECOND} record_missing`,
      `${FIRST} active`,
      `${SECOND} setting_up`,
      `${SECOND} active`,
    ]);
    expect((await fixture.row(id)).status).toBe('READY');
  });

  it('is removed from the server before its row ends', async () => {
    await add(FIRST);
    await fixture.settle(actor, MINUTE_MS);
    await remove(FIRST);
    const { instance_ip: address } = await fixture.row(id);
    fixture.hosts.switchOff(address ?? '', true);
    await fixture.settle(actor);
    expect(await states()).toEqual([`${FIRST} removing`]);
    expect((await rows())[0]?.failure_code).toBe('further_domain.server_failed');
    fixture.hosts.switchOff(address ?? '', false);
    await fixture.settle(actor, 5 * MINUTE_MS);
    expect([await rows(), (await redirects()).hosts]).toEqual([[], []]);
    expect((await changes()).at(-1)).toBe(`${FIRST} removed`);
  });

  it('is given up after two weeks without a record, and then costs no more checks', async () => {
    await add(SECOND);
    await fixture.settle(actor, MINUTE_MS);
    await fixture.database.sql(`update deployment_domains set added_at = added_at - interval '13 days'`);
    await fixture.settle(actor, HOUR_MS);
    expect(await states()).toEqual([`${SECOND} record_missing`]);
    await fixture.database.sql(`update deployment_domains set added_at = added_at - interval '1 day'`);
    await fixture.settle(actor, HOUR_MS);
    expect(await states()).toEqual([`${SECOND} given_up`]);
    expect(await fixture.database.sql(`select 1 from work where kind = $1`, [APPLY_DOMAINS])).toEqual([]);
  });

  it('shows why the authority issued no certificate, and leaves the deployment alone', async () => {
    fixture.authority = 'The authority refuses.';
    await add(FIRST);
    await fixture.settle(actor, HOUR_MS);
    expect(await states()).toEqual([`${FIRST} certificate_failed`]);
    expect((await rows())[0]?.certificate).toMatchObject({ verdict: 'not_issued' });
    expect((await fixture.row(id)).status).toBe('READY');
    fixture.authority = null;
    await fixture.settle(actor, HOUR_MS);
    expect(await states()).toEqual([`${FIRST} active`]);
  });

  it('waits for a restart of the stack', async () => {
    await fixture.request(id, 'restart');
    await add(FIRST);
    expect((await fixture.row(id)).status).toBe('RESTARTING');
    await fixture.until(actor, id, 'READY');
    await fixture.settle(actor, 5 * MINUTE_MS);
    expect(await states()).toEqual([`${FIRST} active`]);
  });

  it('redirects to the new address after a change of the domain', async () => {
    await add(FIRST);
    await fixture.settle(actor, MINUTE_MS);
    await fixture.database.sql(`update deployments set status = 'DNS_FAILED' where id = $1`, [id]);
    await fixture.changeDomain(id, 'moved.net');
    await fixture.until(actor, id, 'READY');
    expect(await redirects()).toEqual({ hosts: [FIRST], target: 'https://admin.moved.net/${1}' });
  });

  it('gives way when the deployment itself uses its name', async () => {
    await add(FIRST);
    await fixture.settle(actor, MINUTE_MS);
    await fixture.database.sql(`update deployments set domain = 'first.net', admin_subdomain = 'www' where id = $1`, [
      id,
    ]);
    await fixture.settle(actor, 2 * DAY_MS);
    expect((await rows())[0]).toMatchObject({ applied_at: null, failure_code: 'further_domain.in_use' });
  });

  it('ends with its deployment', async () => {
    await add(FIRST);
    await fixture.settle(actor, MINUTE_MS);
    await fixture.request(id, 'delete');
    await fixture.until(actor, id, 'DESTROYED');
    await fixture.settle(actor, 2 * DAY_MS);
    expect(await rows()).toEqual([]);
  });

  it.each(['domains.read', 'reach.key', 'work.finish', 'work.finish.effected'])(
    'is set up once although the process was killed at %s',
    async (place) => {
      await add(FIRST);
      const points = crashPoints((name) => name === place);
      const killed = await fixture.actor({ points });
      await fixture.settle(killed).catch((error: unknown) => {
        if (!points.dead) throw error;
      });
      expect(points.dead).toBe(true);
      await killed.db.close();
      await fixture.settle(actor, 10 * MINUTE_MS);
      expect([await states(), (await redirects()).hosts]).toEqual([[`${FIRST} active`], [FIRST]]);
    },
  );
});
