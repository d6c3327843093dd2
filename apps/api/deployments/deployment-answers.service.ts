import type { DeploymentAnswer } from '@moorage/contracts';
import { DeploymentReachability, openIncidents } from '@moorage/database';
import { type Instant, iso, isoOrNull, isSimulated, Money, RUNNING } from '@moorage/domain';
import type { Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { incidentAnswer } from './incident-answer';
import { deploymentAnswer, viewDeployment, type Viewer, type ViewRow } from './deployment-view';
import { PackageCredentials } from './package-credentials.service';

/** Builds the responses for deployments. It knows which providers of this installation are simulated. */
@Injectable()
export class DeploymentAnswers {
  constructor(
    private readonly settings: ApiSettings,
    private readonly signIns: PackageCredentials,
  ) {}

  of(row: ViewRow, viewer: Viewer): DeploymentAnswer {
    const { clouds, publicUrl } = this.settings;
    return deploymentAnswer(row, { viewer, sandbox: isSimulated(clouds, row), publicUrl });
  }

  /** Throws NOT_FOUND for a deployment that the viewer may not see. */
  async read(tx: Tx, id: number, viewer: Viewer): Promise<DeploymentAnswer> {
    const row = await viewDeployment(tx, id, viewer);
    const signIn = await this.signIns.of(tx, { id, userId: viewer.userId });
    return {
      ...this.of(row, viewer),
      sign_in: signIn,
      ran: await readRan(tx, id),
      reachability: await readReachability(tx, row),
      incidents: await readIncidents(tx, id),
    };
  }
}

/** Cost of a deployment so far: its charges and their corrections, each read by an index. */
const RAN = `
select billable_from, billable_to, (
  coalesce((select sum(amount_micros) from ledger_transactions where deployment_id = d.id and type = 'charge'), 0)
  + coalesce((select sum(amount_micros) from ledger_transactions where deployment_id = d.id and type in ('rerate', 'refund')), 0)
)::text as moved_micros
from deployments d where id = $1`;

async function readRan(tx: Tx, id: number): Promise<DeploymentAnswer['ran']> {
  const [row] = await tx.query<{ billable_from: Instant | null; billable_to: Instant | null; moved_micros: string }>(
    RAN,
    [id],
  );
  if (row?.billable_from == null) return null;
  return {
    from: iso(row.billable_from),
    to: row.billable_to === null ? null : iso(row.billable_to),
    cost: Money.fromMicrosText(row.moved_micros).negated().toWire(),
  };
}

async function readIncidents(tx: Tx, id: number): Promise<DeploymentAnswer['incidents']> {
  const open = await openIncidents(tx, id);
  return open.map((row) => incidentAnswer(row, open));
}

async function readReachability(tx: Tx, { id, status }: ViewRow): Promise<DeploymentAnswer['reachability']> {
  if (!RUNNING.includes(status)) return null;
  const row = await tx.repository(DeploymentReachability).findOneBy({ deployment_id: id });
  if (row === null) return null;
  const { state, since, checked_at } = row;
  return {
    state,
    since: isoOrNull(since),
    checked_at: isoOrNull(checked_at),
  };
}
