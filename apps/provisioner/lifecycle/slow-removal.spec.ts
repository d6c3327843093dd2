import { beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE_MS } from '@moorage/domain';
import { type Cloud, cloudsOf } from '../clouds/cloud';
import { type FixtureActor, fixturesOfSuite, type ProvisionerFixture } from '@moorage/tests/services/provisioner';

const openFixture = fixturesOfSuite();
let fixture: ProvisionerFixture;
let actor: FixtureActor;
/** Calls to the provider since the last reset. */
let calls: (keyof Cloud)[];

beforeEach(async () => {
  fixture = await openFixture();
  calls = [];
  const hetzner = fixture.memory.clouds.of('hetzner');
  const counted: Cloud = {
    ...hetzner,
    find: (...requested) => (calls.push('find'), hetzner.find(...requested)),
    get: (...requested) => (calls.push('get'), hetzner.get(...requested)),
    list: (...requested) => (calls.push('list'), hetzner.list(...requested)),
    delete: (...requested) => (calls.push('delete'), hetzner.delete(...requested)),
  };
  actor = await fixture.actor({
    clouds: cloudsOf((name) => (name === 'hetzner' ? counted : fixture.memory.clouds.of(name))),
  });
});
const count = (call: keyof Cloud): number => calls.filter((one) => one === call).length;

describe('removal that takes ten minutes', () => {
  it('polls at growing intervals, loads the whole list only if nothing else shows the server, and still ends', async () => {
    const id = await fixture.order();
    const { ref } = await fixture.until(actor, id, 'READY');
    const server = fixture.memory.living().find(({ labels }) => labels.deployment === ref);
    fixture.memory.fault('hetzner', 'delete', 'still_there', 1_000);
    calls = [];
    await fixture.request(id, 'delete');
    await fixture.settle(actor, 10 * MINUTE_MS);
    expect(count('delete')).toBeGreaterThan(5);
    expect(count('delete')).toBeLessThan(30);
    expect(count('find')).toBe(count('delete'));
    expect([count('get'), count('list')]).toEqual([0, 0]);
    fixture.memory.vanish(server?.id ?? '');
    await fixture.until(actor, id, 'DESTROYED');
    expect(count('list')).toBeGreaterThan(0);
    expect(count('get')).toBeGreaterThan(0);
  });

  it('finds the server by its id or in the list if the provider does not show it under its label', async () => {
    const id = await fixture.order();
    const { ref } = await fixture.until(actor, id, 'READY');
    fixture.memory.fault('hetzner', 'find', 'empty', 1);
    calls = [];
    await fixture.request(id, 'delete');
    await fixture.settle(actor);
    expect(calls.slice(0, 3)).toEqual(['find', 'get', 'delete']);
    await fixture.until(actor, id, 'DESTROYED');
    const next = await fixture.order();
    const other = await fixture.until(actor, next, 'READY');
    fixture.memory.fault('hetzner', 'find', 'empty', 1);
    fixture.memory.fault('hetzner', 'get', 'empty', 1);
    calls = [];
    await fixture.request(next, 'delete');
    await fixture.settle(actor);
    expect(calls.slice(0, 4)).toEqual(['find', 'get', 'list', 'delete']);
    await fixture.until(actor, next, 'DESTROYED');
    expect(fixture.memory.living().filter(({ labels }) => [ref, other.ref].includes(labels.deployment ?? ''))).toEqual(
      [],
    );
  });
});
