import { describe, expect, it } from '@jest/globals';
import {
  type Cloud,
  CloudError,
  type CloudServer,
  type ServerLabels,
  serverName,
  type ServerSpec,
} from '../clouds/cloud';
import type { FaultMode, SandboxCall } from '../clouds/sandbox/faults';

/** What every cloud must do, whoever is behind it. `ripen`: lets as much time pass as a server needs to boot. */
export interface CloudUnderTest {
  readonly cloud: Cloud;
  readonly region: string;
  readonly instance_type: string;
  ripen(): Promise<void>;
  /** The next calls go wrong so; where faults cannot be planted these situations are left out. */
  readonly fault?: (call: SandboxCall, mode: FaultMode, times: number) => Promise<void>;
}

export function cloudSuite(name: string, open: () => Promise<CloudUnderTest>): void {
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
    it('shows a new server at once by label, by id and in the list, and gives it an address', async () => {
      const under = await open();
      const { spec, labels, token } = order(under);
      const made = await under.cloud.create(spec, token);
      await under.ripen();
      const [found] = await under.cloud.find(labels, under.region);
      expect(found).toMatchObject({ id: made.id, name: spec.name, region: under.region, state: 'running', labels });
      expect(found?.address).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      expect(await under.cloud.get({ region: under.region, id: made.id })).toEqual(found);
      expect((await under.cloud.list('suite')).map(({ id }) => id)).toContain(made.id);
    });

    it('finds nothing for a ref that was never asked for, and no server for an id that never was', async () => {
      const under = await open();
      expect(await under.cloud.find(order(under).labels, under.region)).toEqual([]);
      expect(await under.cloud.get({ region: under.region, id: '999999999' })).toBeNull();
    });

    it('keeps the servers of another installation apart', async () => {
      const under = await open();
      const stranger = order(under, 'another');
      const made = await under.cloud.create(stranger.spec, stranger.token);
      expect((await under.cloud.list('suite')).map(({ id }) => id)).not.toContain(made.id);
      expect(await under.cloud.find({ ...stranger.labels, installation: 'suite' }, under.region)).toEqual([]);
    });

    it('removes a server from every answer, and removing it again is no error', async () => {
      const under = await open();
      const { spec, labels, token } = order(under);
      const made = await under.cloud.create(spec, token);
      const place = { region: under.region, id: made.id };
      await under.cloud.delete(place);
      await under.cloud.delete(place);
      expect(await under.cloud.find(labels, under.region)).toEqual([]);
      expect(await under.cloud.get(place)).toBeNull();
      expect((await under.cloud.list('suite')).map(({ id }) => id)).not.toContain(made.id);
    });

    it('gives each server an address of its own', async () => {
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

    it('may lose the answer to a create that was done: the server is found by label', async () => {
      const under = await open();
      if (under.fault === undefined) return;
      const { spec, labels, token } = order(under);
      await under.fault('create', 'apply_then_fail', 1);
      await expect(under.cloud.create(spec, token)).rejects.toMatchObject({ kind: 'transient' });
      expect(await under.cloud.find(labels, under.region)).toHaveLength(1);
    });

    it.each([
      ['rate_limited', 'rate_limit'],
      ['server_error', 'transient'],
      ['quota', 'quota'],
      ['no_capacity', 'capacity'],
      ['revoked', 'auth'],
    ] as const)('says %s as %s, and has made nothing', async (mode, kind) => {
      const under = await open();
      if (under.fault === undefined) return;
      const { spec, labels, token } = order(under);
      await under.fault('create', mode, 1);
      const refused = await under.cloud.create(spec, token).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(CloudError);
      expect(refused).toMatchObject({ kind });
      if (mode === 'rate_limited') expect((refused as CloudError).retry_after_ms).toBeGreaterThan(0);
      expect(await under.cloud.find(labels, under.region)).toEqual([]);
    });

    it('may show a server late: by id it is there, in the lists it is not yet', async () => {
      const under = await open();
      if (under.fault === undefined) return;
      const { spec, labels, token } = order(under);
      await under.fault('create', 'delayed_list', 1);
      const made = await under.cloud.create(spec, token);
      expect(await under.cloud.find(labels, under.region)).toEqual([]);
      expect(await under.cloud.get({ region: under.region, id: made.id })).not.toBeNull();
    });

    it('may answer a removal well and do nothing', async () => {
      const under = await open();
      if (under.fault === undefined) return;
      const { spec, labels, token } = order(under);
      const made = await under.cloud.create(spec, token);
      await under.fault('delete', 'still_there', 1);
      await under.cloud.delete({ region: under.region, id: made.id });
      expect(await under.cloud.find(labels, under.region)).toHaveLength(1);
      await under.cloud.delete({ region: under.region, id: made.id });
      expect(await under.cloud.find(labels, under.region)).toEqual([]);
    });

    it('names the project that its credentials lead to, the same at every look', async () => {
      const { cloud } = await open();
      const project = await cloud.projectId();
      expect(project).not.toBe('');
      expect(await cloud.projectId()).toBe(project);
    });

    it('may be led into another project by its credentials, or have them refused', async () => {
      const under = await open();
      if (under.fault === undefined) return;
      const project = await under.cloud.projectId();
      await under.fault('project', 'other_project', 1);
      expect(await under.cloud.projectId()).not.toBe(project);
      await under.fault('project', 'revoked', 1);
      await expect(under.cloud.projectId()).rejects.toMatchObject({ kind: 'auth' });
      expect(await under.cloud.projectId()).toBe(project);
    });

    it('may answer well and show nothing, or half, of what is there', async () => {
      const under = await open();
      if (under.fault === undefined) return;
      const orders = [order(under, 'half'), order(under, 'half')];
      const made: CloudServer[] = [];
      for (const { spec, token } of orders) made.push(await under.cloud.create(spec, token));
      const [first] = made;
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
      for (const { id, region } of made) await under.cloud.delete({ region, id });
    });

    it('may lose a server as soon as it runs', async () => {
      const under = await open();
      if (under.fault === undefined) return;
      const { spec, token } = order(under);
      await under.fault('create', 'vanishes', 1);
      const made = await under.cloud.create(spec, token);
      await under.ripen();
      expect(await under.cloud.get({ region: under.region, id: made.id })).toBeNull();
    });
  });
}
