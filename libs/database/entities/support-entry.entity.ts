import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant-column';

/** A later entry of a conversation, which is a message, a note or its closing. */
@Entity('support_entries')
export class SupportEntry {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  conversation_id!: number;

  @Column({ type: 'text' })
  by!: 'person' | 'support';

  /** `note` is visible to administrators only. */
  @Column({ type: 'text' })
  what!: 'message' | 'note' | 'closed';

  /** Author, or null for a visitor. */
  @Column({ type: 'integer', nullable: true })
  user_id!: number | null;

  /** Empty for an entry without text. */
  @Column({ type: 'text' })
  message!: string;

  /** Idempotency-Key of the request that created the entry, or null. */
  @Column({ type: 'text', nullable: true })
  request_key!: string | null;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;
}
