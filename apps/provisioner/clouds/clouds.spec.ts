import { afterAll, beforeAll } from '@jest/globals';
import { builtInCosts, CLOUD_NAMES, PROVIDERS } from '@moorage/domain';
import type { Db } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { cloudSuite, SUITE_FAULTS, type SuiteFault } from '@moorage/tests/suites/cloud.suite';
import { fixtureClock } from '@moorage/tests/services/provisioner/fixture-clock';
import { createMemoryClouds } from '@moorage/tests/fakes/memory-clouds';
import type { FaultMode } from './sandbox/faults';
import { Sandbox } from './sandbox/sandbox';

let database: TestDatabase;
let db: Db;
const BOOT_MS = 20_000;

beforeAll(async () => {
  database = await testDatabase();
  db = await database.open({ service: 'provisioner' });
});
afterAll(() => database.drop());

/** Faults of the suite that have another name in the sandbox. */
const MODES: Partial<Record<SuiteFault, FaultMode>> = {
  lost_answer: 'apply_then_fail',
  listed_late: 'delayed_list',
  not_removed: 'still_there',
};
const modeOf = (fault: SuiteFault): FaultMode => MODES[fault] ?? (fault as FaultMode);

for (const name of CLOUD_NAMES) {
  const larger = builtInCosts(name).regions[0]?.instanceTypes[1]?.name ?? '';
  const traits = { faults: SUITE_FAULTS, repeated: PROVIDERS[name].repeatedCreate, page: 3, larger };
  cloudSuite(`sandbox ${name}`, traits, async () => {
    await database.sql('delete from sandbox_faults');
    const clock = fixtureClock();
    const sandbox = new Sandbox(db, clock, { boot_ms: BOOT_MS });
    const cloud = sandbox.clouds.of(name);
    const [region] = (await cloud.catalogue()).regions;
    const [type] = region?.instanceTypes ?? [];
    if (region === undefined || type === undefined) throw new Error('the built-in catalogue is empty');
    return {
      cloud,
      region: region.name,
      instance_type: type.name,
      ripen: async () => void (clock.at += BOOT_MS),
      fault: (call, fault, times) => sandbox.fault(name, call, modeOf(fault), times),
    };
  });
}

const memoryTraits = { faults: SUITE_FAULTS, repeated: 'second_server', page: 3, larger: 'cpx32' } as const;
cloudSuite('memory', memoryTraits, async () => {
  const clock = fixtureClock();
  const memory = createMemoryClouds({ clock, boot_ms: BOOT_MS });
  return {
    cloud: memory.clouds.of('hetzner'),
    region: 'fsn1',
    instance_type: 'cpx22',
    ripen: async () => void (clock.at += BOOT_MS),
    fault: async (call, fault, times) => memory.fault('hetzner', call, modeOf(fault), times),
  };
});
