import type { Instant, PaymentState } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant-column';

/** A payment, begun by a user or by automatic top-up. */
@Entity('checkout_sessions')
export class CheckoutSession {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'integer' })
  user_id!: number;

  @Column({ type: 'integer' })
  amount_cents!: number;

  @Column({ type: 'boolean' })
  test_mode!: boolean;

  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'text', default: 'open' })
  status!: PaymentState;

  /** Payment at the provider, once there is one. */
  @Column({ type: 'text', nullable: true })
  payment_intent!: string | null;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  paid_at!: Instant | null;

  @Column({ type: 'text', default: 'checkout' })
  kind!: 'checkout' | 'automatic';

  @Column({ type: 'boolean', default: false })
  save_card!: boolean;

  /** Time of the last request to the provider about an automatic top-up. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  asked_at!: Instant | null;

  @Column({ type: 'text', nullable: true })
  failure!: string | null;

  /** The provider's customer to charge, or null for sessions of an older version. */
  @Column({ type: 'text', nullable: true })
  customer!: string | null;
}
