import { STACK_ROOT } from '@moorage/provisioner/ssh/command';
import type { FixtureActor, ProvisionerFixture } from '.';

export interface BackupRowOfTest {
  readonly id: number;
  readonly kind: string;
  readonly state: string;
  readonly attempts: number;
  readonly failure_reason: string | null;
  readonly removed_because: string | null;
}

/** Actions and queries for tests of backups. `path` is relative to the deployment's folder. */
export function backupsOf(fixture: () => ProvisionerFixture, actor: () => FixtureActor) {
  const DATABASE = 'config/db/db.sqlite';

  async function machineOf(id: number) {
    const { ref, instance_ip: address } = await fixture().row(id);
    const machine = fixture().hosts.at(address ?? '');
    if (machine === null) throw new Error('no machine');
    return { files: machine.files, root: `${STACK_ROOT}/${ref}/` };
  }

  const rows = (id: number): Promise<BackupRowOfTest[]> =>
    fixture().database.sql<BackupRowOfTest>(
      `select id, kind, state, attempts, failure_reason, removed_because from backups where deployment_id = $1 order by id`,
      [id],
    );

  return {
    rows,

    /** Simulates that the package writes to its database. */
    write: async (id: number, text: string): Promise<void> => {
      const { files, root } = await machineOf(id);
      files[root + DATABASE] = { mode: 0o600, data: Buffer.from(text).toString('base64') };
    },

    read: async (id: number): Promise<string | null> => {
      const { files, root } = await machineOf(id);
      const data = files[root + DATABASE]?.data;
      return data === undefined ? null : Buffer.from(data, 'base64').toString();
    },

    /** Returns the data beside the running data. */
    beside: async (id: number, folder: '.before' | '.restored'): Promise<string[]> => {
      const { files, root } = await machineOf(id);
      return Object.keys(files).filter((path) => path.startsWith(`${root}${folder}/`));
    },

    /** Returns the kind and state of each backup, such as `scheduled complete`, oldest first. */
    states: async (id: number): Promise<string[]> => {
      return (await rows(id)).map(({ kind, state }) => `${kind} ${state}`);
    },

    ready: async (level: 1 | 2 | 3 = 2): Promise<number> => {
      const id = await fixture().order({ support_level: level });
      await fixture().until(actor(), id, 'READY');
      return id;
    },

    /** Runs a tick of the schedule and all immediate follow-up work. */
    tick: async (): Promise<void> => {
      await actor().provisioner.backups.run();
      await fixture().settle(actor(), 60_000);
    },

    /** Takes a requested backup until it ends. */
    backUp: async (id: number): Promise<number> => {
      const backup = await fixture().backUp(id);
      await fixture().settle(actor(), 60_000);
      return backup ?? 0;
    },

    copies: async (id: number): Promise<string[]> => fixture().copies.list((await fixture().row(id)).ref),
  };
}
