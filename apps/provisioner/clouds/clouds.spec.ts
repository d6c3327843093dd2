import { afterAll, beforeAll } from '@jest/globals';
import { type Db, systemClock } from '@moorage/server';
import { testDatabase, type TestDatabase } from '@moorage/testing';
import { CLOUD_NAMES } from './cloud';
import { cloudSuite } from '../testing/cloud.suite';
import { createMemoryClouds } from '../testing/memory-clouds';
import { Sandbox } from './sandbox/sandbox';

let database: TestDatabase;
let db: Db;
const BOOT_MS = 40;
const clock = systemClock();

beforeAll(async () => {
  database = await testDatabase();
  db = await database.open({ service: 'provisioner' });
});
afterAll(() => database.drop());

for (const name of CLOUD_NAMES) {
  cloudSuite(`sandbox ${name}`, async () => {
    await database.sql('delete from sandbox_faults');
    const sandbox = new Sandbox(db, clock, { boot_ms: BOOT_MS });
    const catalogue = await sandbox.clouds[name].catalogue();
    const type = catalogue.instance_types[0];
    if (type === undefined) throw new Error('the built-in catalogue is empty');
    return {
      cloud: sandbox.clouds[name],
      region: type.region,
      instance_type: type.name,
      ripen: () => clock.sleep(BOOT_MS + 30),
      fault: (call, mode, times) => sandbox.fault(name, call, mode, times),
    };
  });
}

cloudSuite('memory', () => {
  let wall = 1_800_000_000_000;
  const memory = createMemoryClouds({ clock: { localNow: () => wall }, boot_ms: 20_000 });
  return Promise.resolve({
    cloud: memory.clouds.hetzner,
    region: 'fsn1',
    instance_type: 'cpx22',
    ripen: () => {
      wall += 21_000;
      return Promise.resolve();
    },
    fault: (call, mode, times) => Promise.resolve(memory.fault('hetzner', call, mode, times)),
  });
});
