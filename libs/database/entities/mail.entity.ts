import type { Instant, Language } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant-column';

/** Encrypted facts, encoded as base64. */
export interface SealedFacts {
  readonly key_id: string;
  readonly nonce: string;
  readonly ciphertext: string;
}

@Entity('mails')
export class Mail {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  /** Cause of the email. The same cause never sends a second email. */
  @Column({ type: 'text' })
  cause!: string;

  @Column({ type: 'text' })
  recipient!: string;

  /** Recipient's account, for kinds of email that can be turned off. */
  @Column({ type: 'integer', nullable: true })
  user_id!: number | null;

  @Column({ type: 'text' })
  template!: string;

  @Column({ type: 'text', default: 'en' })
  language!: Language;

  /** Cleared once the email is sent. */
  @Column({ type: 'jsonb' })
  facts!: SealedFacts;

  /** The recipient's address was not confirmed by any account when the email was queued. */
  @Column({ type: 'boolean', default: false })
  to_unconfirmed!: boolean;

  /**
   * Reason why an email is unsent, which is the server, the recipient's mailbox, or the limit of unconfirmed
   * recipients.
   */
  @Column({ type: 'text', default: 'server' })
  waits_for!: 'server' | 'mailbox' | 'limit';

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  sent_at!: Instant | null;

  /** Time at which delivery was given up. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  given_up_at!: Instant | null;
}
