import { CONSTANTS, SECOND_MS } from '@moorage/domain';
import type { Clock, Db } from '@moorage/server';

/** Names below this are answered by the sandbox and by nobody else. */
export const SANDBOX_ZONE = CONSTANTS.sandboxZone;
const LATE_MS = 40 * SECOND_MS;

const ELSEWHERE = '198.51.100.77';

/**
 * The sandbox's own DNS: what a customer's zone would say after the records were set as told. A name leads to the living
 * sandbox server of the youngest deployment whose domain it is or lies below. For trying things out by name:
 * `nodns.<anything>.sandbox.localhost` never resolves, `latedns.` only forty seconds after the server was made,
 * `wrongdns.` leads elsewhere, and `nocert.` resolves but is never given a certificate; as a subdomain it concerns that
 * name alone.
 */
export class SandboxNames {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  /** The IPv4 addresses of a name; none: it does not exist. */
  async resolve(name: string): Promise<string[]> {
    const wanted = plain(name);
    if (!isOurs(wanted) || says(wanted, 'nodns')) return [];
    return this.db.tx('sandbox.resolve', async (tx) => {
      const [row] = await tx.query<{ address: string; created_at: number }>(
        `select host(s.address) as address, s.created_at
         from sandbox_servers s join deployments d on d.ref = s.labels ->> 'deployment'
         where s.state <> 'gone' and d.domain is not null
           and ($1 = lower(d.domain) or right($1, length(d.domain) + 1) = '.' || lower(d.domain))
         order by d.id desc, s.id desc limit 1`,
        [wanted],
      );
      if (row === undefined) return [];
      if (says(wanted, 'wrongdns')) return [ELSEWHERE];
      if (says(wanted, 'latedns') && (await this.clock.now(tx)) < row.created_at + LATE_MS) return [];
      return [row.address];
    });
  }

  mayHaveCertificate(name: string): boolean {
    return isOurs(name) && !says(plain(name), 'nocert');
  }

  /** The domains that the server of this address carries, and the subdomains that were asked for. */
  namesOf(address: string): Promise<string[]> {
    return this.db.tx('sandbox.names', async (tx) => {
      const rows = await tx.query<{ name: string }>(
        `select distinct lower(concat_ws('.', n.label, d.domain)) as name
         from sandbox_servers s join deployments d on d.ref = s.labels ->> 'deployment'
         cross join lateral (
           select null as label
           union all select d.admin_subdomain
           union all select value from jsonb_each_text(d.config) where key like '%\\_SUBDOMAIN' and value <> ''
         ) n
         where s.state <> 'gone' and s.address = $1::inet and d.domain is not null
         order by name`,
        [address],
      );
      return rows.map(({ name }) => name);
    });
  }
}

const plain = (name: string): string => name.toLowerCase().replace(/\.$/, '');

function isOurs(name: string): boolean {
  const wanted = plain(name);
  return wanted === SANDBOX_ZONE || wanted.endsWith(`.${SANDBOX_ZONE}`);
}

/** Does one label of the name carry this word? */
const says = (name: string, word: string): boolean => name.split('.').includes(word);
