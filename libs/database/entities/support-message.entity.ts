import type { Instant, Language, SupportLevel } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant';

/** A conversation with the support: the message that began it, and how it stands. */
@Entity('support_messages')
export class SupportMessage {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'text' })
  kind!: 'contact' | 'package';

  /** Whose token came along; null: a visitor. */
  @Column({ type: 'integer', nullable: true })
  user_id!: number | null;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'text' })
  subject!: string;

  @Column({ type: 'text' })
  message!: string;

  @Column({ type: 'inet', nullable: true })
  ip_address!: string | null;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  @Column({ type: 'text', default: 'en' })
  language!: Language;

  @Column({ type: 'integer', nullable: true })
  deployment_id!: number | null;

  /** The deployment as it was then. */
  @Column({ type: 'jsonb', nullable: true })
  context!: object | null;

  @Column({ type: 'integer', default: 1 })
  level!: SupportLevel;

  @Column({ type: 'text', default: 'open' })
  state!: 'open' | 'answered' | 'closed';

  @Column({ type: 'integer', nullable: true })
  assignee_user_id!: number | null;

  /** Since when an answer is waited for; null: nobody waits. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  waiting_since!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  due_at!: Instant | null;

  /** When somebody is warned that `due_at` is near; null: was, or need not be. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  warn_at!: Instant | null;

  @Column({ type: 'timestamptz', transformer: instant, default: () => 'now()' })
  last_at!: Instant;

  /** How many rows of `support_entries` it has. */
  @Column({ type: 'integer', default: 0 })
  entries!: number;
}
