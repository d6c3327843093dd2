import { type Instant, iso } from '@moorage/domain';
import { Clock, Db, type Tx } from '@moorage/server';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ApiSettings } from '../settings';

type Tax = ApiSettings['operator']['tax'];

interface Row {
  readonly rate: number | null;
  readonly text: string | null;
}

/** Stores when each tax rate took effect. A receipt that is issued late uses the rate of the day of payment. */
@Injectable()
export class TaxRates implements OnApplicationBootstrap {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly settings: ApiSettings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { tax } = this.settings.operator;
    await this.db.tx('tax_rates.note', async (tx) => {
      const [last] = await tx.query<Row>('select rate, text from tax_rates order by since desc limit 1');
      if (last !== undefined && last.rate === (tax?.rate ?? null) && last.text === (tax?.text ?? null)) return;
      await tx.execute(
        `insert into tax_rates (since, rate, text) values ($1, $2, $3)
         on conflict (since) do update set rate = excluded.rate, text = excluded.text`,
        [iso(await this.clock.now(tx)), tax?.rate ?? null, tax?.text ?? null],
      );
    });
  }

  /** Returns the tax at an instant. Instants before the first stored rate use the first one. */
  async at(tx: Tx, at: Instant): Promise<Tax> {
    const [row] = await tx.query<Row>(
      `(select rate, text, 0 as place from tax_rates where since <= $1 order by since desc limit 1)
       union all (select rate, text, 1 from tax_rates order by since limit 1) order by place limit 1`,
      [iso(at)],
    );
    if (row === undefined) return this.settings.operator.tax;
    return row.rate === null || row.text === null ? null : { rate: row.rate, text: row.text };
  }
}
