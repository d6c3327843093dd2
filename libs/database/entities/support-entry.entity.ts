import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant';

/** What was said in a conversation after the message that began it, or done with it. */
@Entity('support_entries')
export class SupportEntry {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  conversation_id!: number;

  @Column({ type: 'text' })
  by!: 'person' | 'support';

  /** `note`: for administrators only. */
  @Column({ type: 'text' })
  what!: 'message' | 'note' | 'closed';

  /** Who wrote it; null: a visitor. */
  @Column({ type: 'integer', nullable: true })
  user_id!: number | null;

  /** Empty where nothing was said. */
  @Column({ type: 'text' })
  message!: string;

  /** The Idempotency-Key of the request that wrote it, or null. */
  @Column({ type: 'text', nullable: true })
  request_key!: string | null;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;
}
