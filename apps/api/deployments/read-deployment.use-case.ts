import {
  type DeploymentAnswer,
  deploymentSecrets,
  type DeploymentSetupAnswer,
  type DeploymentStatusAnswer,
  type TimelineEntryAnswer,
} from '@moorage/contracts';
import { auditLog, type MessageRow, messageOf } from '@moorage/database';
import { envLabel, ENV_VARIABLES, type Instant, iso } from '@moorage/domain';
import { Clock, Db, Secrets } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { DeploymentAnswers } from './deployment-answers.service';
import { ReadDnsRecords } from './read-dns-records.use-case';
import { ReadProgress } from './read-progress.use-case';
import { ownerOf, POSTGRES_PASSWORD, statusAnswer, viewDeployment, type Viewer } from './deployment-view';

export interface RevealedSecret {
  /** Name of the env variable. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

const ENTRIES_MAX = 500;

/** Secrets that an owner may have entered. The platform's keys are never listed. */
const ENTERED = [...ENV_VARIABLES.filter(({ secret }) => secret).map(({ env }) => env as string), POSTGRES_PASSWORD];

type EntryRow = Omit<TimelineEntryAnswer, 'at' | 'id' | 'message'> &
  MessageRow & { readonly id: string; readonly at: Instant };

@Injectable()
export class ReadDeployment {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly secrets: Secrets,
    private readonly answers: DeploymentAnswers,
    private readonly packages: PackageManifests,
    private readonly progress: ReadProgress,
    private readonly dns: ReadDnsRecords,
  ) {}

  get({ viewer, id }: { viewer: Viewer; id: number }): Promise<DeploymentAnswer> {
    return this.db.tx('deployments.get', (tx) => this.answers.read(tx, id, viewer));
  }

  status({ viewer, id }: { viewer: Viewer; id: number }): Promise<DeploymentStatusAnswer> {
    return this.db.tx('deployments.status', async (tx) => statusAnswer(await viewDeployment(tx, id, viewer)));
  }

  /** Returns a deployment with its progress and records. Throws NOT_FOUND if it is not the viewer's. */
  setup({ viewer, id }: { viewer: Viewer; id: number }): Promise<DeploymentSetupAnswer> {
    return this.db.tx('deployments.setup', async (tx) => {
      const deployment = await this.answers.read(tx, id, viewer);
      return {
        deployment,
        progress: await this.progress.read(tx, { viewer, id }),
        dns: deployment.domain === null ? null : await this.dns.read(tx, { viewer, id }),
      };
    });
  }

  /** Returns the newest 500 entries, or the 500 after the entry `after`, the oldest first. */
  timeline({
    viewer,
    id,
    after,
  }: {
    viewer: Viewer;
    id: number;
    after: number | undefined;
  }): Promise<TimelineEntryAnswer[]> {
    return this.db.tx('deployments.timeline', async (tx) => {
      await ownerOf(tx, id, viewer);
      const rows = await tx.query<EntryRow>(
        after === undefined
          ? `select * from (select id, run_id, step, outcome, message, message_code, message_facts, at from deployment_steps where deployment_id = $1
                 order by id desc limit ${ENTRIES_MAX}) newest order by id`
          : `select id, run_id, step, outcome, message, message_code, message_facts, at from deployment_steps where deployment_id = $1 and id > $2
                 order by id limit ${ENTRIES_MAX}`,
        after === undefined ? [id] : [id, after],
      );
      return rows.map(({ id: entry, run_id, step, outcome, at, ...row }) => ({
        id: Number(entry),
        run_id,
        step,
        outcome,
        message: messageOf(row),
        at: iso(at),
      }));
    });
  }

  /** Returns the secrets to the owner only, not even to administrators. Each call is audited without the values. */
  revealSecrets({ userId, id }: { userId: number; id: number }): Promise<{ secrets: RevealedSecret[] }> {
    return this.db.tx('deployments.reveal-secrets', async (tx) => {
      const row = await viewDeployment(tx, id, { userId, isAdmin: false });
      const owner = deploymentSecrets(id);
      const shown = [...ENTERED, ...this.signInSecrets(row.package)];
      const names = (await this.secrets.names(tx, owner)).filter((name) => shown.includes(name));
      const revealed: RevealedSecret[] = [];
      for (const name of names) {
        const value = await this.secrets.get(tx, owner, name);
        if (value !== null) revealed.push({ name, label: envLabel(name), value });
      }
      await auditLog.record(tx, {
        actor: userId,
        action: 'deployment.secrets_revealed',
        subject: owner,
        facts: { names },
        at: await this.clock.now(tx),
      });
      return { secrets: revealed };
    });
  }

  /** Returns the names of the secrets that were generated for the owner to log in with. */
  private signInSecrets(name: string): string[] {
    const rows = this.packages.find(name)?.sign_in ?? [];
    return rows.flatMap(({ password, token }) => [password, token]).filter((secret) => secret !== undefined);
  }
}
