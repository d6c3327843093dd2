import type { Tx } from '@moorage/server';

/** Returns true if an existing deployment uses this address, which at most one may (decisions 23). */
export async function addressInUse(
  tx: Tx,
  address: string,
  { exceptBy = null }: { exceptBy?: number | null } = {},
): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from deployments where vps_ip_address = $1::inet and server_type = 'vps' and status not in ('DESTROYED', 'DELETED')
       and user_id is distinct from $2`,
    [address, exceptBy],
  );
  return rows.length > 0;
}
