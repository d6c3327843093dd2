import { STEP_MESSAGES } from '@moorage/domain';
import { STACK_ROOT, stateFolder } from '@moorage/provisioner';
import type { TestDatabase } from '@moorage/testing';
import type { ExternalSystems } from './external-systems';

/**
 * Checks what must hold between our rows and reality once a history has come to rest. This cannot be checked in
 * production, because only the simulation knows both sides. (For the rows alone see libs/ledger/invariants.sql.)
 */
export async function brokenInvariants(database: TestDatabase, outside: ExternalSystems): Promise<string[]> {
  const found: string[] = [];
  for (const [law, sql, params] of LAWS) {
    for (const row of await database.sql(sql, params)) found.push(`${law}: ${JSON.stringify(row)}`);
  }
  for (const row of await database.sql<PlacedRow>(PLACED)) {
    const { state } = outside.hosts.get(row.address) ?? {};
    if (state === undefined) continue;
    const folders = [`${STACK_ROOT}/${row.ref}`, stateFolder(row.ref)];
    const runs = state.projects[folders[0] ?? ''] !== undefined;
    const lies = Object.keys(state.files).some((path) => folders.some((folder) => `${path}/`.startsWith(`${folder}/`)));
    if (row.wanted && !runs) found.push(`${RUNS}: ${JSON.stringify(row)}`);
    if (row.own && row.over && runs) found.push(`${STOPPED}: ${JSON.stringify(row)}`);
    if (row.own && row.over && row.emptied && lies) found.push(`${EMPTIED}: ${JSON.stringify(row)}`);
  }
  return found;
}

const LAWS: readonly (readonly [law: string, sql: string, params: string[][]])[] = [
  [
    'W1 What is called lost is not there',
    `select d.id as deployment_id, d.lost_from, x.id as server_id from deployments d
     join servers s on s.deployment_id = d.id
     join sandbox_servers x on x.provider = s.provider and x.id::text = s.provider_server_id and x.state <> 'gone'
     where d.status = 'FAILED' and d.lost_from is not null`,
    [],
  ],
  [
    'W2 No step fails because a script of ours is still at work',
    // These two always end with the last observation.
    `select deployment_id, step, message from deployment_steps
     where outcome = 'failed' and message = any($1) and step not in ('validate-dns', 'issue-certificate')`,
    [[STEP_MESSAGES.script_busy.detail, STEP_MESSAGES.script_overtaken.detail]],
  ],
];
const RUNS = 'W3 What is ACTIVE or READY runs on its machine';
const STOPPED = 'W4 Nothing of what is over runs on a machine of its owner, unless that was said';
const EMPTIED = 'W5 After a delete nothing of ours lies on a machine of its owner, unless that was said';

interface PlacedRow {
  readonly deployment_id: number;
  readonly ref: string;
  readonly address: string;
  readonly own: boolean;
  readonly wanted: boolean;
  readonly over: boolean;
  readonly emptied: boolean;
}

const PLACED = `
select d.id as deployment_id, d.ref, host(coalesce(d.vps_ip_address, d.instance_ip)) as address, d.server_type = 'vps' as own,
  d.status in ('ACTIVE', 'READY') as wanted,
  d.status in ('FAILED', 'DESTROYED', 'DELETED') and not exists (
    select 1 from runs r where r.deployment_id = d.id and r.memory ->> 'left_behind' is not null
  ) as over,
  d.status in ('DESTROYED', 'DELETED') and d.destroy_reason = 'deleted' as emptied
from deployments d where coalesce(d.vps_ip_address, d.instance_ip) is not null order by d.id`;
