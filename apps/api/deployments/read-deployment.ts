import {
  type DeploymentAnswer,
  deploymentSecrets,
  type DeploymentStatusAnswer,
  type TimelineEntryAnswer,
} from '@moorage/contracts';
import { envLabel, ENV_VARIABLES, type Instant, iso } from '@moorage/domain';
import type { Clock, Db, Secrets } from '@moorage/server';
import {
  deploymentAnswer,
  ownerOf,
  POSTGRES_PASSWORD,
  statusAnswer,
  viewDeployment,
  type Viewer,
} from './deployment-view';

export interface RevealedSecret {
  /** Env name. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

export interface ReadDeployment {
  get(ask: { viewer: Viewer; id: number }): Promise<DeploymentAnswer>;
  status(ask: { viewer: Viewer; id: number }): Promise<DeploymentStatusAnswer>;
  /** Oldest first: the newest 500 entries, or the 500 behind `after`. */
  timeline(ask: { viewer: Viewer; id: number; after: number | undefined }): Promise<TimelineEntryAnswer[]>;
  /** Only for the owner, administrators included in "nobody else"; each call leaves a record without the values. */
  revealSecrets(ask: { userId: number; id: number }): Promise<{ secrets: RevealedSecret[] }>;
}

const ENTRIES_MAX = 500;

/** What an owner may read back: what they gave, and what was made for them to sign in with. Keys of ours never. */
const REVEALED = [
  ...ENV_VARIABLES.filter(({ secret }) => secret).map(({ env }) => env as string),
  POSTGRES_PASSWORD,
  'DASHBOARD_PASSWORD',
];

type EntryRow = Omit<TimelineEntryAnswer, 'at' | 'id'> & { readonly id: string; readonly at: Instant };

export function createReadDeployment({
  db,
  clock,
  secrets,
  sandbox,
}: {
  db: Db;
  clock: Clock;
  secrets: Secrets;
  sandbox: boolean;
}): ReadDeployment {
  return {
    get: ({ viewer, id }) =>
      db.tx('deployments.get', async (tx) =>
        deploymentAnswer(await viewDeployment(tx, id, viewer), { viewer, sandbox }),
      ),

    status: ({ viewer, id }) =>
      db.tx('deployments.status', async (tx) => statusAnswer(await viewDeployment(tx, id, viewer))),

    timeline: ({ viewer, id, after }) =>
      db.tx('deployments.timeline', async (tx) => {
        await ownerOf(tx, id, viewer);
        const rows = await tx.query<EntryRow>(
          after === undefined
            ? `select * from (select id, run_id, step, outcome, message, at from deployment_steps where deployment_id = $1
                 order by id desc limit ${ENTRIES_MAX}) newest order by id`
            : `select id, run_id, step, outcome, message, at from deployment_steps where deployment_id = $1 and id > $2
                 order by id limit ${ENTRIES_MAX}`,
          after === undefined ? [id] : [id, after],
        );
        return rows.map((row) => ({ ...row, id: Number(row.id), at: iso(row.at) }));
      }),

    revealSecrets: ({ userId, id }) =>
      db.tx('deployments.reveal-secrets', async (tx) => {
        await ownerOf(tx, id, { userId, isAdmin: false });
        const owner = deploymentSecrets(id);
        const names = (await secrets.names(tx, owner)).filter((name) => REVEALED.includes(name));
        const revealed: RevealedSecret[] = [];
        for (const name of names) {
          const value = await secrets.get(tx, owner, name);
          if (value !== null) revealed.push({ name, label: envLabel(name), value });
        }
        await tx.execute(
          `insert into audit_records (actor_user_id, action, subject, facts, at) values ($1, 'deployment.secrets_revealed', $2, $3, $4)`,
          [userId, owner, JSON.stringify({ names }), iso(await clock.now(tx))],
        );
        return { secrets: revealed };
      }),
  };
}
