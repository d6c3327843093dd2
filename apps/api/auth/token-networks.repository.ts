import { iso } from '@moorage/domain';
import { Clock, Db } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../http/rate-limiter.service';
import { currentRequest } from '../http/request-context';
import { SecurityEvents } from './security-events.service';
import { SecurityMails } from '../mail/security-mails.service';

/**
 * Notifies the owner of each new network from which an API token is used, because a stolen token is used from
 * elsewhere.
 */
@Injectable()
export class TokenNetworks {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly rateLimiter: RateLimiter,
    private readonly events: SecurityEvents,
    private readonly securityMails: SecurityMails,
  ) {}

  /** Stores the network of this request. `known` lists the networks that the token was recently used from. */
  async note({ id, userId, known }: { id: number; userId: number; known: readonly string[] }): Promise<void> {
    const network = currentRequest()?.origin.networks[0];
    if (network === undefined || known.includes(network)) return;
    const label = await this.remember(id, network);
    if (label === null) return;
    this.events.record('token_new_network', { accountId: userId, credentialId: String(id) });
    if (!(await this.rateLimiter.takeIfLeft('token_network_mail', String(userId)))) return;
    await this.db.tx('auth.mail-token-network', async (tx) => {
      const at = await this.clock.now(tx);
      const facts = { label, network, at: iso(at) };
      await this.securityMails.post(tx, { userId, template: 'api_token_network', facts, at });
    });
  }

  /** Returns the label of the token, or null if there is nothing to report. */
  private remember(id: number, network: string): Promise<string | null> {
    return this.db.tx('auth.token-network', async (tx) => {
      const [row] = await tx.query<{ label: string | null; count: number }>(
        `update user_tokens set networks = (array_prepend($2::text, networks))[:${STORED_MAX}]
           where id = $1 and not networks @> array[$2::text]
           returning label, cardinality(networks) as count`,
        [id, network],
      );
      // A concurrent request was faster, or the token is older than the table of its networks.
      return row === undefined || row.count === 1 ? null : (row.label ?? '');
    });
  }
}

const STORED_MAX = 10;
