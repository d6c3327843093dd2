/** SQL condition on a row `d` of deployments: we gave its domain and set its records. */
export const HAS_PLATFORM_NAME = `exists (
  select from platform_names p where p.name = d.domain and p.account_id = d.user_id)`;
