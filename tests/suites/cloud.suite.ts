import { describe, expect, it } from '@jest/globals';
import {
  type Cloud,
  CloudError,
  type CloudServer,
  type ResizeProgress,
  type ServerLabels,
  serverName,
  type ServerPlace,
  type ServerSpec,
} from '@moorage/provisioner/clouds/cloud';
/** Calls for which faults can be injected. */
export type SuiteCall = 'project' | 'create' | 'find' | 'get' | 'list' | 'delete' | 'resize';

/**
 * Faults of a call.
 *
 * - `lost_answer`: Carried out, but the response is an error.
 * - `rate_limited`, `server_error`, `quota`, `no_capacity`, `revoked`: Rejected without effect.
 * - `listed_late`: Not yet in `find` and `list`.
 * - `not_removed`: Reported as successful without effect.
 * - `other_project`: The credentials belong to another project.
 * - `empty`, `partial`: Successful, but with no servers or half of them.
 * - `vanishes`, `stops`, `fails_*`: Accepted, but gone, stopped or impossible when it should run.
 * - `late_address`: Runs for a while before its address is known.
 */
export const SUITE_FAULTS = [
  'lost_answer',
  'rate_limited',
  'server_error',
  'quota',
  'no_capacity',
  'revoked',
  'listed_late',
  'not_removed',
  'other_project',
  'empty',
  'partial',
  'vanishes',
  'stops',
  'fails_capacity',
  'fails_quota',
  'fails_refused',
  'fails_other',
  'late_address',
] as const;

/**
 * Additional faults of providers over HTTP.
 *
 * - `rate_limited_mute`: Too many requests, without a delay in the response.
 * - `forbidden`, `refused`: Not allowed, or not possible as requested.
 * - `forbidden_page`, `absent_page`: 403 and 404 with the page of a proxy in front of the provider.
 * - `garbled`, `oversized`: Carried out, but the response is an HTML page or has five megabytes.
 */
export const HTTP_FAULTS = [
  'rate_limited_mute',
  'forbidden',
  'forbidden_page',
  'absent_page',
  'refused',
  'garbled',
  'oversized',
] as const;
/**
 * Additional faults for the specs of the reconciliation. The call is carried out, but the response is cut off in the
 * middle (`truncated`), is the provider's own 500 (`failed_after`), or never arrives (`slow`).
 */
export type AnswerFault = 'truncated' | 'failed_after' | 'slow';
export type SuiteFault = (typeof SUITE_FAULTS)[number] | (typeof HTTP_FAULTS)[number] | AnswerFault;

/** Tests that every cloud must pass, regardless of the implementation. */
export interface CloudUnderTest {
  readonly cloud: Cloud;
  readonly region: string;
  readonly instance_type: string;
  /** Advances the time by the duration of a server's boot. */
  ripen(): Promise<void>;
  /** Injects a fault into the next `times` calls. */
  fault(call: SuiteCall, fault: SuiteFault, times: number): Promise<void>;
}

/** Differences between clouds. */
export interface CloudTraits {
  /** Supported faults. Tests for other faults are skipped. */
  readonly faults: readonly SuiteFault[];
  /** Response to a repeated create. */
  readonly repeated: 'same_server' | 'name_taken' | 'second_server';
  /** Number of servers on one page of its lists. */
  readonly page: number;
  /** A larger size than the one under test. */
  readonly larger: string;
  /** False if a server can't get a smaller size in place. */
  readonly shrinks?: false;
}

/** Number of calls within which a resize must be done. */
const RESIZE_CALLS_MAX = 12;

export function cloudSuite(name: string, traits: CloudTraits, open: () => Promise<CloudUnderTest>): void {
  const when = (...faults: readonly SuiteFault[]): typeof it | typeof it.skip =>
    faults.every((fault) => traits.faults.includes(fault)) ? it : it.skip;
  let counter = 0;
  const order = (
    under: CloudUnderTest,
    installation = 'suite',
  ): { spec: ServerSpec; labels: ServerLabels; token: string } => {
    const ref = `ref${name.replace(/[^a-z0-9]/g, '')}${++counter}`;
    const labels: ServerLabels = { 'managed-by': 'moorage', installation, deployment: ref };
    const { region, instance_type } = under;
    return {
      spec: { name: serverName(ref), region, instance_type, user_data: '#cloud-config\n{}', labels },
      labels,
      token: `${ref}-1`,
    };
  };

  describe(`cloud: ${name}`, () => {
    it('shows a new server at once by label, by id and in the list, with an address', async () => {
      const under = await open();
      const { spec, labels, token } = order(under);
      const created = await under.cloud.create(spec, token);
      await under.ripen();
      const [found] = await under.cloud.find(labels, under.region);
      expect(found).toMatchObject({ id: created.id, name: spec.name, region: under.region, state: 'running', labels });
      expect(found?.address).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      expect(await under.cloud.get({ region: under.region, id: created.id })).toEqual(found);
      expect((await under.cloud.list('suite')).map(({ id }) => id)).toContain(created.id);
    });

    describe('resizing', () => {
      const { larger } = traits;
      const running = async (under: CloudUnderTest): Promise<ServerPlace> => {
        const { spec, token } = order(under);
        const { region, id } = await under.cloud.create(spec, token);
        await under.ripen();
        return { region, id };
      };
      const resize = (under: CloudUnderTest, place: ServerPlace, instance_type: string): Promise<ResizeProgress> =>
        under.cloud.resize(place, { instance_type, grow_disk: false });
      /** Repeats the call until the server has the size. Each call could come from another process. */
      const resized = async (under: CloudUnderTest, place: ServerPlace, size: string): Promise<void> => {
        for (let calls = 1; calls <= RESIZE_CALLS_MAX; calls += 1) {
          const progress = await resize(under, place, size);
          if (progress.state === 'done') {
            const shown = { state: 'running', instance_type: size, address: progress.address };
            expect(progress.address).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
            expect(await under.cloud.get(place)).toMatchObject(shown);
            return;
          }
          await under.ripen();
        }
        throw new Error(`the server does not get the size ${size}`);
      };
      /** Repeats the call until it fails. */
      const failed = async (under: CloudUnderTest, place: ServerPlace, size: string): Promise<unknown> => {
        for (let calls = 1; calls <= RESIZE_CALLS_MAX; calls += 1) {
          try {
            if ((await resize(under, place, size)).state === 'done') break;
          } catch (error) {
            return error;
          }
          await under.ripen();
        }
        throw new Error('nothing failed');
      };

      it('gives a server another size, without creating or losing one', async () => {
        const under = await open();
        const { spec, labels, token } = order(under);
        const { id } = await under.cloud.create(spec, token);
        const place = { region: under.region, id };
        await under.ripen();
        await resized(under, place, larger);
        await resized(under, place, larger);
        expect(await under.cloud.find(labels, under.region)).toMatchObject([{ id, labels, instance_type: larger }]);
        if (traits.shrinks === false) {
          expect(await failed(under, place, under.instance_type)).toMatchObject({ kind: 'invalid' });
          await resized(under, place, larger);
        } else await resized(under, place, under.instance_type);
        expect((await under.cloud.list('suite')).filter((one) => one.id === id)).toHaveLength(1);
      });

      for (const [fault, kind] of [
        ['no_capacity', 'capacity'],
        ['quota', 'quota'],
        ['refused', 'invalid'],
        ['forbidden', 'permission'],
      ] as const) {
        when(fault)(`reports ${fault} as ${kind}, after which the previous size runs again`, async () => {
          const under = await open();
          const place = await running(under);
          await under.fault('resize', fault, 1);
          expect(await failed(under, place, larger)).toMatchObject({ kind });
          await resized(under, place, under.instance_type);
        });
      }

      for (const [fault, kind] of [
        ['rate_limited', 'rate_limit'],
        ['server_error', 'transient'],
        ['lost_answer', 'transient'],
      ] as const) {
        when(fault)(`continues after ${fault}`, async () => {
          const under = await open();
          const place = await running(under);
          await under.fault('resize', fault, 1);
          const error = await failed(under, place, larger);
          expect(error).toMatchObject({ kind });
          if (kind === 'rate_limit') expect((error as CloudError).retry_after_ms).toBeGreaterThan(0);
          await resized(under, place, larger);
        });
      }

      it('may be called again before a step has ended', async () => {
        const under = await open();
        const place = await running(under);
        for (let calls = 1; calls <= RESIZE_CALLS_MAX; calls += 1) {
          await resize(under, place, larger);
          await resize(under, place, larger);
          await under.ripen();
        }
        expect(await resize(under, place, larger)).toMatchObject({ state: 'done' });
      });

      it('does not find a server that does not exist', async () => {
        const under = await open();
        const place = await running(under);
        await under.cloud.delete(place);
        await expect(resize(under, place, larger)).rejects.toMatchObject({ kind: 'not_found' });
      });
    });

    it('finds nothing for a ref that was never requested, and no server for an id that never existed', async () => {
      const under = await open();
      expect(await under.cloud.find(order(under).labels, under.region)).toEqual([]);
      expect(await under.cloud.get({ region: under.region, id: '999999999' })).toBeNull();
    });

    it('separates the servers of another installation', async () => {
      const under = await open();
      const stranger = order(under, 'another');
      const created = await under.cloud.create(stranger.spec, stranger.token);
      expect((await under.cloud.list('suite')).map(({ id }) => id)).not.toContain(created.id);
      expect(await under.cloud.find({ ...stranger.labels, installation: 'suite' }, under.region)).toEqual([]);
    });

    it('removes a server from every response, and removing it again is no error', async () => {
      const under = await open();
      const { spec, labels, token } = order(under);
      const created = await under.cloud.create(spec, token);
      const place = { region: under.region, id: created.id };
      await under.cloud.delete(place);
      await under.cloud.delete(place);
      expect(await under.cloud.find(labels, under.region)).toEqual([]);
      expect(await under.cloud.get(place)).toBeNull();
      expect((await under.cloud.list('suite')).map(({ id }) => id)).not.toContain(created.id);
    });

    it('gives each server its own address', async () => {
      const under = await open();
      const addresses = new Set<string | null | undefined>();
      for (let n = 0; n < 3; n++) {
        const { spec, labels, token } = order(under);
        await under.cloud.create(spec, token);
        await under.ripen();
        addresses.add((await under.cloud.find(labels, under.region))[0]?.address);
      }
      expect(addresses.size).toBe(3);
    });

    for (const fault of ['lost_answer', 'garbled', 'oversized'] as const) {
      when(fault)(
        `may lose the answer to a create that was done (${fault}): the server is found by label`,
        async () => {
          const under = await open();
          const { spec, labels, token } = order(under);
          await under.fault('create', fault, 1);
          await expect(under.cloud.create(spec, token)).rejects.toMatchObject({
            name: 'CloudError',
            kind: 'transient',
          });
          expect(await under.cloud.find(labels, under.region)).toHaveLength(1);
        },
      );
    }

    const refusals = [
      ['rate_limited', 'rate_limit'],
      ['rate_limited_mute', 'rate_limit'],
      ['forbidden', 'permission'],
      ['forbidden_page', 'transient'],
      ['absent_page', 'transient'],
      ['refused', 'invalid'],
      ['server_error', 'transient'],
      ['quota', 'quota'],
      ['no_capacity', 'capacity'],
      ['revoked', 'auth'],
    ] as const;
    for (const [fault, kind] of refusals) {
      when(fault)(`says ${fault} as ${kind}, and has made nothing`, async () => {
        const under = await open();
        const { spec, labels, token } = order(under);
        await under.fault('create', fault, 1);
        const refused = await under.cloud.create(spec, token).catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(CloudError);
        expect(refused).toMatchObject({ kind });
        if (kind === 'rate_limit') expect((refused as CloudError).retry_after_ms).toBeGreaterThan(0);
        expect(await under.cloud.find(labels, under.region)).toEqual([]);
      });
    }

    it(`handles a repeated request for one server: ${traits.repeated}`, async () => {
      const under = await open();
      const { spec, labels, token } = order(under);
      const created = await under.cloud.create(spec, token);
      const again = await under.cloud.create(spec, token).catch((error: unknown) => error);
      const found = (await under.cloud.find(labels, under.region)).map(({ id }) => id);
      if (traits.repeated === 'name_taken') expect(again).toMatchObject({ name: 'CloudError', kind: 'conflict' });
      else if (traits.repeated === 'same_server') expect(again).toMatchObject({ id: created.id });
      else expect(found).toEqual([created.id, (again as CloudServer).id]);
      if (traits.repeated !== 'second_server') expect(found).toEqual([created.id]);
    });

    it('lists the second page too', async () => {
      const under = await open();
      const created: CloudServer[] = [];
      for (let n = 0; n <= traits.page; n++) {
        const { spec, token } = order(under, 'pages');
        created.push(await under.cloud.create(spec, token));
      }
      const listed = (await under.cloud.list('pages')).map(({ id }) => id);
      expect(listed.sort()).toEqual(created.map(({ id }) => id).sort());
      for (const { id, region } of created) await under.cloud.delete({ region, id });
      expect(await under.cloud.list('pages')).toEqual([]);
    });

    when('late_address')('may run for a while before its address is known', async () => {
      const under = await open();
      const { spec, token } = order(under);
      await under.fault('create', 'late_address', 1);
      const created = await under.cloud.create(spec, token);
      const place = { region: under.region, id: created.id };
      await under.ripen();
      expect(await under.cloud.get(place)).toMatchObject({ state: 'running', address: null });
      await under.ripen();
      expect(await under.cloud.get(place)).toMatchObject({
        state: 'running',
        address: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
      });
    });

    for (const kind of ['capacity', 'quota', 'refused', 'other'] as const) {
      when(`fails_${kind}`)(
        `may accept a server and find it impossible (${kind}): it says so, and removes it`,
        async () => {
          const under = await open();
          const { spec, labels, token } = order(under);
          await under.fault('create', `fails_${kind}`, 1);
          const created = await under.cloud.create(spec, token);
          const place = { region: under.region, id: created.id };
          await under.ripen();
          const failed = { id: created.id, state: 'failed', failure: { kind, message: expect.stringMatching(/./) } };
          expect(await under.cloud.get(place)).toMatchObject(failed);
          expect(await under.cloud.find(labels, under.region)).toMatchObject([failed]);
          await under.cloud.delete(place);
          expect(await under.cloud.get(place)).toBeNull();
        },
      );
    }

    when('stops')('may have a server stopped', async () => {
      const under = await open();
      const { spec, token } = order(under);
      await under.fault('create', 'stops', 1);
      const created = await under.cloud.create(spec, token);
      await under.ripen();
      expect(await under.cloud.get({ region: under.region, id: created.id })).toMatchObject({
        state: 'stopped',
        failure: null,
      });
    });

    it('offers sizes with a price in regions with a country', async () => {
      const { cloud, region, instance_type } = await open();
      const { provider, regions } = await cloud.catalogue();
      expect(provider).toBe(cloud.name);
      for (const { countryCode } of regions) expect(countryCode).toMatch(/^[a-z]{2}$/);
      const types = regions.find(({ name }) => name === region)?.instanceTypes ?? [];
      expect(types.map(({ name }) => name)).toContain(instance_type);
      for (const { hourlyUsd } of types) expect(hourlyUsd).toBeGreaterThan(0);
    });

    when('listed_late')('may show a server late: by id it is there, in the lists it is not yet', async () => {
      const under = await open();
      const { spec, labels, token } = order(under);
      await under.fault('create', 'listed_late', 1);
      const created = await under.cloud.create(spec, token);
      expect(await under.cloud.find(labels, under.region)).toEqual([]);
      expect(await under.cloud.get({ region: under.region, id: created.id })).not.toBeNull();
    });

    when('not_removed')('may answer a removal well and do nothing', async () => {
      const under = await open();
      const { spec, labels, token } = order(under);
      const created = await under.cloud.create(spec, token);
      await under.fault('delete', 'not_removed', 1);
      await under.cloud.delete({ region: under.region, id: created.id });
      expect(await under.cloud.find(labels, under.region)).toHaveLength(1);
      await under.cloud.delete({ region: under.region, id: created.id });
      expect(await under.cloud.find(labels, under.region)).toEqual([]);
    });

    it('names the project of its credentials, the same at every check', async () => {
      const { cloud } = await open();
      const project = await cloud.projectId();
      expect(project).not.toBe('');
      expect(await cloud.projectId()).toBe(project);
    });

    when('other_project', 'revoked')(
      'may be led into another project by its credentials, or have them refused',
      async () => {
        const under = await open();
        const project = await under.cloud.projectId();
        await under.fault('project', 'other_project', 1);
        expect(await under.cloud.projectId()).not.toBe(project);
        await under.fault('project', 'revoked', 1);
        await expect(under.cloud.projectId()).rejects.toMatchObject({ kind: 'auth' });
        expect(await under.cloud.projectId()).toBe(project);
      },
    );

    when('empty', 'partial')('may answer well and show nothing, or half, of what is there', async () => {
      const under = await open();
      const orders = [order(under, 'half'), order(under, 'half')];
      const created: CloudServer[] = [];
      for (const { spec, token } of orders) created.push(await under.cloud.create(spec, token));
      const [first] = created;
      const labels = orders[0]?.labels;
      if (first === undefined || labels === undefined) throw new Error('nothing was made');
      await under.fault('list', 'empty', 1);
      await under.fault('find', 'empty', 1);
      await under.fault('get', 'empty', 1);
      expect(await under.cloud.list('half')).toEqual([]);
      expect(await under.cloud.find(labels, under.region)).toEqual([]);
      expect(await under.cloud.get({ region: under.region, id: first.id })).toBeNull();
      await under.fault('list', 'partial', 1);
      expect(await under.cloud.list('half')).toHaveLength(1);
      expect(await under.cloud.list('half')).toHaveLength(2);
      expect(await under.cloud.find(labels, under.region)).toHaveLength(1);
      expect(await under.cloud.get({ region: under.region, id: first.id })).not.toBeNull();
      for (const { id, region } of created) await under.cloud.delete({ region, id });
    });

    when('vanishes')('may lose a server as soon as it runs', async () => {
      const under = await open();
      const { spec, token } = order(under);
      await under.fault('create', 'vanishes', 1);
      const created = await under.cloud.create(spec, token);
      await under.ripen();
      expect(await under.cloud.get({ region: under.region, id: created.id })).toBeNull();
    });
  });
}
