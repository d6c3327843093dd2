import type { Instant, Language } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant';

/** Base64 texts of a sealed secret. */
export interface SealedFacts {
  readonly key_id: string;
  readonly nonce: string;
  readonly ciphertext: string;
}

@Entity('mails')
export class Mail {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  /** What caused it; the same cause never mails twice. */
  @Column({ type: 'text' })
  cause!: string;

  @Column({ type: 'text' })
  recipient!: string;

  /** The account that it is for, where mails of its kind can be switched off. */
  @Column({ type: 'integer', nullable: true })
  user_id!: number | null;

  @Column({ type: 'text' })
  template!: string;

  @Column({ type: 'text', default: 'en' })
  language!: Language;

  /** Empty once it is sent. */
  @Column({ type: 'jsonb' })
  facts!: SealedFacts;

  /** The recipient had not been confirmed as anybody's when the mail was queued. */
  @Column({ type: 'boolean', default: false })
  to_unconfirmed!: boolean;

  /** The reason why an email is unsent: the server, this recipient's mailbox, or the limit of unconfirmed recipients. */
  @Column({ type: 'text', default: 'server' })
  waits_for!: 'server' | 'mailbox' | 'limit';

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  sent_at!: Instant | null;

  /** When it was given up. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  given_up_at!: Instant | null;
}
