import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { Product } from '../journeys/product';
import { type Customer, customers, order, statusOf, untilAll } from './customers';
import { END_OF_STEP, expectDeaths, eventuallyHolds, standsAt, STEPWISE } from './state-after-crash';
import { doomed, hunt, lifeOf, LONG_MS, PATIENCE_MS, startProductToKill, stopped } from './kill';
import { APPEARANCES, namesOf } from './places';

const ENDINGS = ['work.finish.effected', 'work.finish.committed'];
const ADDRESS = '198.19.7.7';

interface CheckAnswer {
  readonly state: 'asked' | 'passed' | 'refused';
  readonly host_key_sha256: string | null;
  readonly results: readonly { name: string; level: string }[];
}

let product: Product;
let ada: Customer;

beforeAll(async () => {
  product = await startProductToKill({ VPS_ALLOWED_CIDRS: '198.19.0.0/16' });
  [ada] = (await customers(product, [2_000])) as [Customer];
  // A sandbox machine without a deployment serves as ada's own server. It is a copy of another machine, which accepts
  // her key.
  await order(ada, 'donor', { package: 'test-page', domain: null });
  await untilAll(product, 'ACTIVE', 60_000);
  const { body: script } = await ada.call<string>('GET', '/servers/periphery-script');
  const [line] = /ssh-ed25519 \S+/.exec(script) ?? [];
  const [donor] = await product.sql<{ user_data: string }>('select user_data from sandbox_servers');
  const { ssh_keys } = parse(donor?.user_data ?? '') as { ssh_keys: unknown };
  await product.sql(
    `insert into sandbox_servers (provider, region, instance_type, name, labels, address, user_data, created_at, ready_at)
     select provider, region, instance_type, 'own', '{}', $1, $2, created_at, ready_at from sandbox_servers`,
    [ADDRESS, JSON.stringify({ ssh_keys, ssh_authorized_keys: [line] })],
  );
  for (const proc of product.processes) await stopped(proc);
}, LONG_MS);
afterAll(() => product.stop());

describe("user's own server", () => {
  it(
    'is checked however often the provisioner is killed, and the requester gets the named results',
    async () => {
      const api = await product.spawn('api');
      const asking = retryUntilAnswered();
      const deaths = await hunt(product, {
        life: lifeOf(product, 'provisioner', PATIENCE_MS),
        stepwise: STEPWISE,
        last: END_OF_STEP,
        known: APPEARANCES,
        at: () => standsAt(product),
        over: async () => (await product.sql(`select 1 from vps_checks where state <> 'asked'`)).length > 0,
      });
      expectDeaths(deaths, 'check', { atLeast: 12, steps: ['no run'], stepwise: ENDINGS });

      const answer = await asking;
      expect(answer.state).toBe('passed');
      expect(answer.results.map(({ name, level }) => `${name} ${level}`)).toEqual(
        expect.arrayContaining(['connectivity ok', 'key ok', 'in_use ok']),
      );
      expect(await product.sql('select host_key_sha256 from vps_hosts')).toEqual([
        { host_key_sha256: answer.host_key_sha256 },
      ]);
      // A repeated request (after 55 s without a response) finds the running check, or the response that was just
      // missed. There is only one check, although the work and the sweep of every new provisioner reach it at the same
      // time.
      expect(await product.sql('select state from vps_checks')).toEqual([{ state: 'passed' }]);
      expect(await product.sql(`select key from work where kind = 'check-vps'`)).toEqual([]);
      expect(await ourPaths()).toEqual([]);
      await stopped(api);
    },
    LONG_MS,
  );

  it(
    'is set up and released when the provisioner is killed at steps specific to own servers',
    async () => {
      const api = await product.spawn('api');
      const id = await order(ada, 'own', {
        package: 'test-page',
        domain: null,
        server_type: 'vps',
        vps_ip_address: ADDRESS,
        cloud_provider: null,
        region: null,
        instance_type: null,
      });
      const different = namesOf('own create');
      expect(different).toEqual(['wait-for-ssh.pin', 'wait-for-ssh.pin.committed']);
      for (const name of different) {
        const proc = await doomed(product, 'provisioner', name);
        expect(await proc.ended).toBe('SIGKILL');
        await standsAt(product);
      }
      const provisioner = await product.spawn('provisioner');
      await untilAll(product, 'ACTIVE', 60_000);
      await stopped(provisioner);
      expect((await ada.call('DELETE', `/deployments/${id}`)).status).toBe(200);
      await stopped(api);

      const deaths = await hunt(product, {
        life: lifeOf(product, 'provisioner', PATIENCE_MS),
        stepwise: STEPWISE,
        last: END_OF_STEP,
        known: [...APPEARANCES, ...namesOf('create'), ...namesOf('destroy')].filter((name) => !STEPWISE.includes(name)),
        at: () => standsAt(product),
        over: async () => (await statusOf(product, id)) === 'DESTROYED',
      });
      const steps = ['destroy remove-stack', 'destroy confirm'];
      expectDeaths(deaths, 'own destroy', { atLeast: 6, steps, stepwise: ENDINGS });

      // Nothing of the product is left on it (no stack, no folder, no key).
      const { files, projects } = await machine();
      expect(projects).toEqual({});
      expect(await ourPaths()).toEqual([]);
      expect(files['/root/.ssh/authorized_keys']).toMatchObject({ data: '' });
      await product.sql(`update sandbox_servers set state = 'gone' where name = 'own'`);
      await product.spawn('all-in-one');
      await eventuallyHolds(product);
    },
    LONG_MS,
  );
});

interface Machine {
  readonly files: Record<string, { readonly data?: string }>;
  readonly projects: object;
}

async function machine(): Promise<Machine> {
  const [row] = await product.sql<{ host: Machine }>(`select host from sandbox_servers where name = 'own'`);
  if (row === undefined) throw new Error('the own server is gone');
  return row.host;
}

async function ourPaths(): Promise<string[]> {
  return Object.keys((await machine()).files).filter((path) => path.includes('moorage'));
}

/** Repeats the request like a client. 202 means that the result is not available yet. */
async function retryUntilAnswered(): Promise<CheckAnswer> {
  for (;;) {
    const { status, body } = await ada.call<CheckAnswer>('POST', '/servers/validate-vps', { ip_address: ADDRESS });
    if (status !== 200 && status !== 202) throw new Error(`validate-vps: ${status} ${JSON.stringify(body)}`);
    if (body.state !== 'asked') return body;
  }
}
