import type { Instant, Language, SupportLevel } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant-column';

/** A conversation with support, with its first message and its state. */
@Entity('support_messages')
export class SupportMessage {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'text' })
  kind!: 'contact' | 'package';

  /** User identified by the token of the request, or null for a visitor. */
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

  /** Snapshot of the deployment at that time. */
  @Column({ type: 'jsonb', nullable: true })
  context!: object | null;

  @Column({ type: 'integer', default: 1 })
  level!: SupportLevel;

  @Column({ type: 'text', default: 'open' })
  state!: 'open' | 'answered' | 'closed';

  @Column({ type: 'integer', nullable: true })
  assignee_user_id!: number | null;

  /** Time since which the customer has been waiting for a reply, or null if none is expected. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  waiting_since!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  due_at!: Instant | null;

  /** Time of the warning before `due_at`. Null after the warning and if none is needed. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  warn_at!: Instant | null;

  @Column({ type: 'timestamptz', transformer: instant, default: () => 'now()' })
  last_at!: Instant;

  /** Number of rows in `support_entries`. */
  @Column({ type: 'integer', default: 0 })
  entries!: number;
}
