import { event } from '@moorage/contracts';
import type { DeploymentReachability, DeploymentRow } from '@moorage/database';
import {
  afterJudging,
  afterStopping,
  displayName,
  type Finding,
  type Incident,
  type IncidentChange,
  type Instant,
  iso,
  isoOrNull,
  type Judged,
} from '@moorage/domain';
import { Outbox } from '@moorage/messaging';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';

type Owner = Pick<DeploymentRow, 'id' | 'user_id' | 'client_name'>;

interface Judgement {
  /** Columns of `reachability` to save. */
  readonly watched: Pick<DeploymentReachability, 'streaks' | 'is_quiet'>;
  readonly changes: readonly IncidentChange[];
  /** The next result of the same check may begin or end an incident, so it should follow soon. */
  readonly isUndecided: boolean;
}

const UNSETTLED = `
select id, kind, subject, facts, began_at, ended_at, told_at from incidents
where deployment_id = $1 and settled_at is null order by id for update`;

/** The incidents of deployments. Every method needs the deployment's lock. */
@Injectable()
export class Incidents {
  constructor(private readonly outbox: Outbox) {}

  /** Applies the result of a check. */
  async judge(
    tx: Tx,
    owner: Owner,
    { streaks, judged, at }: { streaks: DeploymentReachability['streaks']; judged: Judged; at: Instant },
  ): Promise<Judgement> {
    const incidents = await unsettled(tx, owner.id);
    const { changes, is_undecided: isUndecided, ...after } = afterJudging({ streaks, incidents }, judged, at);
    for (const change of changes) await this.apply(tx, owner, change, at);
    const count = (what: IncidentChange['change']): number => changes.filter(({ change }) => change === what).length;
    const unsettledNow = incidents.length + count('began') - count('settled');
    const isQuiet = Object.keys(after.streaks).length === 0 && unsettledNow === 0;
    return { watched: { streaks: after.streaks, is_quiet: isQuiet }, changes, isUndecided };
  }

  /** Begins an incident that needs no second check. Does nothing if it is open. */
  async begin(tx: Tx, owner: Owner, { finding, at }: { finding: Finding; at: Instant }): Promise<void> {
    const known = (await unsettled(tx, owner.id)).find(
      ({ kind, subject }) => kind === finding.kind && subject === finding.subject,
    );
    if (known === undefined) await this.apply(tx, owner, { change: 'began', finding, began_at: at, is_told: true }, at);
    else if (known.ended_at !== null) await this.apply(tx, owner, { change: 'returned', incident: known, finding }, at);
  }

  /** Ends an open incident that needs no second check. */
  async end(tx: Tx, owner: Owner, { kind, at }: { kind: Incident['kind']; at: Instant }): Promise<void> {
    for (const incident of await unsettled(tx, owner.id))
      if (incident.kind === kind && incident.ended_at === null)
        await this.apply(tx, owner, { change: 'ended', incident, ended_at: at }, at);
  }

  /** Ends all incidents of a deployment that no longer runs, except those of the given kinds. */
  async stop(
    tx: Tx,
    owner: Owner,
    { except, at }: { except: readonly Incident['kind'][]; at: Instant },
  ): Promise<void> {
    const incidents = (await unsettled(tx, owner.id)).filter(({ kind }) => !except.includes(kind));
    for (const change of afterStopping(incidents, at)) await this.apply(tx, owner, change, at);
  }

  private async apply(tx: Tx, owner: Owner, change: IncidentChange, at: Instant): Promise<void> {
    switch (change.change) {
      case 'began': {
        const { finding, began_at, is_told } = change;
        const told_at = is_told ? at : null;
        const [row] = await tx.query<{ id: number }>(
          `insert into incidents (deployment_id, user_id, kind, subject, facts, began_at, told_at)
           values ($1, $2, $3, $4, $5, $6, $7) returning id`,
          [
            owner.id,
            owner.user_id,
            finding.kind,
            finding.subject,
            JSON.stringify(finding.facts),
            iso(began_at),
            isoOrNull(told_at),
          ],
        );
        if (row === undefined) throw new Error('the incident insert returned no row');
        const incident = { ...finding, id: row.id, began_at, ended_at: null, told_at };
        await this.report(tx, owner, incident, { change: 'began', at });
        if (is_told) await this.report(tx, owner, incident, { change: 'told', at });
        return;
      }
      case 'returned': {
        const { incident, finding } = change;
        await tx.execute('update incidents set ended_at = null, returned = returned + 1, facts = $2 where id = $1', [
          incident.id,
          JSON.stringify(finding.facts),
        ]);
        await this.report(tx, owner, { ...incident, facts: finding.facts, ended_at: null }, { change: 'returned', at });
        return;
      }
      case 'updated':
        await tx.execute('update incidents set facts = $2 where id = $1', [
          change.incident.id,
          JSON.stringify(change.finding.facts),
        ]);
        return;
      case 'told':
        await tx.execute('update incidents set told_at = $2 where id = $1', [change.incident.id, iso(at)]);
        await this.report(tx, owner, { ...change.incident, told_at: at }, { change: 'told', at });
        return;
      case 'ended':
        await tx.execute('update incidents set ended_at = $2 where id = $1', [
          change.incident.id,
          iso(change.ended_at),
        ]);
        await this.report(tx, owner, { ...change.incident, ended_at: change.ended_at }, { change: 'ended', at });
        return;
      case 'settled':
        await tx.execute('update incidents set settled_at = $2 where id = $1', [change.incident.id, iso(at)]);
        await this.report(tx, owner, change.incident, { change: 'settled', at });
        return;
    }
  }

  private async report(
    tx: Tx,
    owner: Owner,
    { id, kind, subject, facts, began_at, ended_at, told_at }: Incident,
    { change, at }: { change: 'began' | 'returned' | 'told' | 'ended' | 'settled'; at: Instant },
  ): Promise<void> {
    await this.outbox.append(
      tx,
      event('deployment.incident_changed', owner.id, {
        deployment_id: owner.id,
        user_id: owner.user_id,
        client_name: displayName(owner),
        incident_id: id,
        kind,
        subject,
        facts,
        change,
        began_at: iso(began_at),
        ended_at: isoOrNull(ended_at),
        was_told: told_at !== null,
        at: iso(at),
      }),
    );
  }
}

const unsettled = (tx: Tx, deploymentId: number): Promise<Incident[]> => tx.query<Incident>(UNSETTLED, [deploymentId]);
