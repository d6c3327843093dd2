import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant-column';

/**
 * A mailbox that an account has used or that has received a credit. It survives changes of the address and the erasure
 * of the account.
 */
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
