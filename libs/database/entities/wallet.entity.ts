import type { Instant, LowBalanceDays } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant-column';

/** Money of an account, which only `libs/ledger` writes. */
@Entity('wallets')
export class Wallet {
  @PrimaryColumn({ type: 'integer' })
  user_id!: number;

  @Column({ type: 'bigint', default: 0 })
  regular_micros!: string;

  @Column({ type: 'bigint', default: 0 })
  owed_micros!: string;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  first_paid_at!: Instant | null;

  @Column({ type: 'smallint', nullable: true })
  low_warned_days!: LowBalanceDays | null;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  @Column({ type: 'bytea', nullable: true })
  ledger_hash!: Buffer | null;
}
