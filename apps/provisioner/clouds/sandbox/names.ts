import { CONSTANTS, SECOND_MS } from '@moorage/domain';
import type { Clock, Db } from '@moorage/server';
import { OWN } from './own-servers';

/** Only the sandbox resolves names below this zone. */
export const SANDBOX_ZONE = CONSTANTS.sandboxZone;
const LATE_MS = 40 * SECOND_MS;

const COLUMNS = `s.id as server_id, s.address, s.created_at as booted_at,
  d.id, lower(d.domain) as domain, d.admin_subdomain, d.config`;
/** Living servers with their deployments. A customer's own server has no labels and serves one deployment at a time. */
const SERVED = `(
  select ${COLUMNS} from sandbox_servers s join deployments d on d.ref = s.labels ->> 'deployment' where s.state <> 'gone'
  union all
  select ${COLUMNS} from sandbox_servers s join deployments d on d.vps_ip_address = s.address
  where s.provider = '${OWN}' and s.state <> 'gone' and d.server_type = 'vps' and d.status not in ('DESTROYED', 'DELETED')
)`;

const ELSEWHERE = '198.51.100.77';

/**
 * The sandbox's own DNS, which responds like a customer's zone after the records were set as instructed. A name
 * resolves to the live sandbox server of the deployment that has it as a further domain, or else of the newest
 * deployment whose domain equals or contains it. Special labels support manual tests.
 * `nodns.<anything>.sandbox.localhost` never resolves, `latedns.` resolves forty seconds after the server was created,
 * `wrongdns.` resolves to another address, and `nocert.` resolves but never gets a certificate. Used as a subdomain, a
 * label affects only that name.
 */
export class SandboxNames {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  /** Returns the IPv4 addresses of a name, or an empty list if it does not exist. */
  async resolve(name: string): Promise<string[]> {
    const wanted = plain(name);
    if (!isOurs(wanted) || contains(wanted, 'nodns')) return [];
    return this.db.tx('sandbox.resolve', async (tx) => {
      const [row] = await tx.query<{ address: string; booted_at: number }>(
        `select host(x.address) as address, x.booted_at
         from ${SERVED} x left join deployment_domains f on f.deployment_id = x.id and f.host = $1 and f.given_up_at is null
         where f.id is not null or $1 = x.domain or right($1, length(x.domain) + 1) = '.' || x.domain
         order by f.id is not null desc, x.id desc, x.server_id desc limit 1`,
        [wanted],
      );
      if (row === undefined) return [];
      if (contains(wanted, 'wrongdns')) return [ELSEWHERE];
      if (contains(wanted, 'latedns') && (await this.clock.now(tx)) < row.booted_at + LATE_MS) return [];
      return [row.address];
    });
  }

  mayHaveCertificate(name: string): boolean {
    return isOurs(name) && !contains(plain(name), 'nocert');
  }

  /** Returns the domains served by this address, the requested subdomains and the further domains. */
  namesOf(address: string): Promise<string[]> {
    return this.db.tx('sandbox.names', async (tx) => {
      const rows = await tx.query<{ name: string }>(
        `select distinct lower(concat_ws('.', n.label, x.domain)) as name
         from ${SERVED} x cross join lateral (
           select null as label
           union all select x.admin_subdomain
           union all select value from jsonb_each_text(x.config) where key like '%\\_SUBDOMAIN' and value <> ''
         ) n
         where x.address = $1::inet and x.domain is not null
         union
         select f.host from ${SERVED} x join deployment_domains f on f.deployment_id = x.id where x.address = $1::inet
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

/** Returns whether a label of the name equals this word. */
const contains = (name: string, word: string): boolean => name.split('.').includes(word);
