import { HAS_PLATFORM_NAME } from './platform-name.sql';

/**
 * SQL condition on a row `r` of runs: the run waits for its deployment's owner, because their server refuses access or
 * their DNS records do not point to it yet.
 */
export const WAITS_FOR_OWNER = `(coalesce(r.memory ->> 'action_required' = 'access', false) or (r.steps[r.position + 1] = 'validate-dns'
  and not exists (select 1 from dns_checks l where l.deployment_id = r.deployment_id and l.all_right)
  and not exists (select from deployments d where d.id = r.deployment_id and ${HAS_PLATFORM_NAME})))`;

/** SQL condition on a row `d` of deployments: its current run waits for the owner. */
export const OWNERS_TURN = `exists (select 1 from runs r where r.deployment_id = d.id and r.state = 'running' and ${WAITS_FOR_OWNER})`;
