import type { Instant, Language } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant-column';

/** An account. */
@Entity('users')
export class User {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column({ type: 'text' })
  username!: string;

  @Column({ type: 'text' })
  email!: string;

  /** One spelling per mailbox (`normaliseEmail`). */
  @Column({ type: 'text' })
  email_normalised!: string;

  @Column({ type: 'text' })
  password_hash!: string;

  @Column({ type: 'boolean', default: false })
  is_admin!: boolean;

  @Column({ type: 'boolean', default: false })
  is_verified!: boolean;

  /** New address that is not confirmed yet. */
  @Column({ type: 'text', nullable: true })
  pending_email!: string | null;

  @Column({ type: 'text' })
  referral_code!: string;

  @Column({ type: 'integer', nullable: true })
  referred_by_user_id!: number | null;

  @Column({ type: 'inet', nullable: true })
  signup_ip!: string | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  deactivated_at!: Instant | null;

  /** Time at which personal data was removed. The row remains, because the ledger refers to it. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  erased_at!: Instant | null;

  @Column({ type: 'integer', default: 1 })
  version!: number;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  @Column({ type: 'text', default: 'en' })
  language!: Language;

  /** Time at which the second factor was switched on, or null if it is off. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  two_factor_at!: Instant | null;

  /** Time step of the last accepted code, so that each code is accepted once. */
  @Column({ type: 'bigint', nullable: true })
  two_factor_step!: string | null;

  /** Kinds of email that the user has turned off. */
  @Column({ type: 'text', array: true, default: [] })
  muted_mails!: readonly string[];
}
