/**
 * SQL over a row `r` of runs: does it wait for its deployment's owner? Their server does not let us in, or their DNS records
 * do not lead to it yet.
 */
export const WAITS_FOR_OWNER = `(coalesce(r.memory ->> 'yours' = 'access', false) or (r.steps[r.position + 1] = 'validate-dns'
  and not exists (select 1 from dns_looks l where l.deployment_id = r.deployment_id and l.all_right)))`;

/** SQL over a row `d` of deployments: is it its owner's turn, although something is being done with it? */
export const OWNERS_TURN = `exists (select 1 from runs r where r.deployment_id = d.id and r.state = 'running' and ${WAITS_FOR_OWNER})`;
