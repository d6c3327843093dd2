import type { Instant, ReferralDoubt } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant-column';

/** A referral after the new user has verified the email address, with the state of both users' credits. */
@Entity('referral_pairs')
export class ReferralPair {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  referred_user_id!: number;

  @Column({ type: 'integer' })
  referrer_user_id!: number;

  /** Network of the signup, or null if it is unknown or has been erased. */
  @Column({ type: 'cidr', nullable: true })
  network!: string | null;

  @Column({ type: 'text' })
  state!: 'granted' | 'waiting' | 'rejected';

  /** Reasons for a review. Empty if the credits were granted immediately. */
  @Column({ type: 'text', array: true })
  doubts!: ReferralDoubt[];

  @Column({ type: 'timestamptz', transformer: instant })
  verified_at!: Instant;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  granted_at!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  decided_at!: Instant | null;

  @Column({ type: 'integer', nullable: true })
  decided_by_user_id!: number | null;

  @Column({ type: 'text', nullable: true })
  rejection!: string | null;
}
