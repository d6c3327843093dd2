import type { Instant, Language } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant-column';

/** A request for free credits. */
@Entity('credit_requests')
export class CreditRequest {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'text' })
  email_normalised!: string;

  @Column({ type: 'text' })
  reason!: string;

  /** User identified by the token of the request, or null for a visitor. */
  @Column({ type: 'integer', nullable: true })
  user_id!: number | null;

  @Column({ type: 'inet', nullable: true })
  ip_address!: string | null;

  @Column({ type: 'text' })
  language!: Language;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  @Column({ type: 'text' })
  state!: 'waiting' | 'approved' | 'rejected';

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  decided_at!: Instant | null;

  @Column({ type: 'integer', nullable: true })
  decided_by_user_id!: number | null;

  @Column({ type: 'text', nullable: true })
  rejection!: string | null;

  /** SHA-256 of the emailed single-use code, or null if the address already had an account. */
  @Column({ type: 'text', nullable: true })
  code_hash!: string | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  code_expires_at!: Instant | null;

  /** Account created with the code, which receives the credit once its address is verified. */
  @Column({ type: 'integer', nullable: true })
  holder_user_id!: number | null;

  @Column({ type: 'integer', nullable: true })
  credit_id!: number | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  credited_at!: Instant | null;
}
