import type { CreditType, Instant } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant-column';

/** Granted credit, which only `libs/ledger` writes. */
@Entity('credits')
export class Credit {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column({ type: 'integer' })
  user_id!: number;

  @Column({ type: 'text' })
  credit_type!: CreditType;

  @Column({ type: 'bigint' })
  amount_micros!: string;

  @Column({ type: 'bigint' })
  remaining_micros!: string;

  @Column({ type: 'bigint', default: 0 })
  lapsed_micros!: string;

  @Column({ type: 'timestamptz', transformer: instant })
  granted_at!: Instant;

  @Column({ type: 'timestamptz', transformer: instant })
  expires_at!: Instant;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  expired_at!: Instant | null;

  @Column({ type: 'text', default: 'EUR' })
  display_currency!: string;

  @Column({ type: 'inet', nullable: true })
  ip_address!: string | null;

  @Column({ type: 'integer', nullable: true })
  referral_user_id!: number | null;
}
