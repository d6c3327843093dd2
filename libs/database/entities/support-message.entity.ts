import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant';

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
}
