import { type BillingDetailsAnswer, BILLING_DOCUMENTS_CALLS } from '@moorage/contracts';
import { iso, taxId } from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { Caller } from '../http/call-input';

type NewDetails = z.infer<typeof BILLING_DOCUMENTS_CALLS.saveBillingDetails.body>;
interface Answer {
  readonly details: BillingDetailsAnswer | null;
}

/** Recipient of the documents of an account. */
@Injectable()
export class BillingDetailsService {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  read({ userId }: Caller): Promise<Answer> {
    return this.db.tx('billing-details.read', (tx) => readDetails(tx, userId));
  }

  save({ userId }: Caller, { name, lines, postal_code, city, country, tax_id }: NewDetails): Promise<Answer> {
    return this.db.tx('billing-details.save', async (tx) => {
      const number = taxId(tax_id ?? '', country);
      await tx.execute(
        `insert into billing_details (user_id, name, lines, postal_code, city, country, tax_id, changed_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (user_id) do update set name = excluded.name, lines = excluded.lines,
           postal_code = excluded.postal_code, city = excluded.city, country = excluded.country, tax_id = excluded.tax_id,
           changed_at = excluded.changed_at`,
        [userId, name, lines, postal_code, city, country, number, iso(await this.clock.now(tx))],
      );
      return readDetails(tx, userId);
    });
  }
}

async function readDetails(tx: Tx, userId: number): Promise<Answer> {
  const [details] = await tx.query<BillingDetailsAnswer>(
    'select name, lines, postal_code, city, country, tax_id from billing_details where user_id = $1',
    [userId],
  );
  return { details: details ?? null };
}
