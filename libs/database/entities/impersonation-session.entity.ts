import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant-column';

/** An impersonation of a user by an administrator. */
@Entity('account_views')
export class ImpersonationSession {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** Impersonated user. */
  @Column({ type: 'integer' })
  user_id!: number;

  @Column({ type: 'integer' })
  viewer_user_id!: number;

  @Column({ type: 'text' })
  viewer_session_id!: string;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ type: 'timestamptz', transformer: instant })
  started_at!: Instant;

  @Column({ type: 'timestamptz', transformer: instant })
  expires_at!: Instant;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  ended_at!: Instant | null;
}
