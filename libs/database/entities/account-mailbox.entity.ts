import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant';

/** A mailbox that an account has had, or that had a credit; it outlives changes of the address and the erasure. */
@Entity('account_mailboxes')
export class AccountMailbox {
  /** Keyed hash of the normalised address. */
  @PrimaryColumn({ type: 'text' })
  mailbox!: string;

  @PrimaryColumn({ type: 'text' })
  what!: 'confirmed' | 'referral' | 'free_credits';

  @PrimaryColumn({ type: 'integer' })
  user_id!: number;

  @Column({ type: 'timestamptz', transformer: instant })
  at!: Instant;
}
