import { createHash } from 'node:crypto';
import { copyStoreSuite } from '@moorage/tests/suites/copy-store.suite';
import { MemoryCopies } from '../clouds/sandbox/simulated-copies';
import { SimulatedStore } from './simulated-store';

copyStoreSuite('a simulated server', () => {
  const copies = new MemoryCopies();
  const ref = 'abcdefgh12345678';
  return Promise.resolve({
    store: new SimulatedStore(copies),
    ref,
    backUp({ RESTIC_REPOSITORY: repository = '', RESTIC_PASSWORD: password }, database) {
      const data = Buffer.from(database).toString('base64');
      const dumps = [{ name: 'database', bytes: database.length }];
      const content = JSON.stringify({ password, files: { 'data/db.sqlite': { mode: 0o600, data } }, dumps });
      const snapshotId = createHash('sha256').update(content).digest('hex');
      copies.write(repository.replace('simulated:', ''), snapshotId, content);
      return Promise.resolve({ snapshotId, bytes: database.length, dumps });
    },
    damage(of) {
      for (const id of copies.list(of)) copies.write(of, id, (copies.read(of, id) ?? '').slice(0, -9));
      return Promise.resolve();
    },
  });
});
