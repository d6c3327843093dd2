import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant-column';

@Entity('sessions')
export class Session {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** Number shown to the owner. The ID is only in the token. */
  @Column({ type: 'integer', insert: false, update: false, default: () => 'generated always as identity' })
  number!: number;

  @Column({ type: 'integer' })
  user_id!: number;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  @Column({ type: 'timestamptz', transformer: instant })
  last_used_at!: Instant;

  @Column({ type: 'timestamptz', transformer: instant })
  expires_at!: Instant;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  ended_at!: Instant | null;

  /** Time at which the password, and the second factor if the account requires it, was last confirmed. */
  @Column({ type: 'timestamptz', default: () => 'now()', transformer: instant })
  authenticated_at!: Instant;

  /** Time at which a second factor was last used, or null if there was none. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  second_factor_at!: Instant | null;

  /** Null for sessions opened by an older version. */
  @Column({ type: 'inet', nullable: true })
  ip_address!: string | null;

  @Column({ type: 'text', nullable: true })
  user_agent!: string | null;
}
