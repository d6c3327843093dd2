import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant-column';

@Entity('user_tokens')
export class UserToken {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  user_id!: number;

  @Column({ type: 'text' })
  purpose!: 'verify_email' | 'reset_password' | 'change_email' | 'api_token';

  @Column({ type: 'text' })
  token_hash!: string;

  /** Label of a personal API token, chosen by its owner. */
  @Column({ type: 'text', nullable: true })
  label!: string | null;

  /** Scope of a personal API token. */
  @Column({ type: 'text', default: 'write' })
  scope!: 'read' | 'write' | 'admin';

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  /** Null for a personal API token without an expiry. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  expires_at!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  used_at!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  revoked_at!: Instant | null;

  /** Last use of a personal API token, updated every few minutes. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  last_used_at!: Instant | null;

  /** The owner of a personal API token was an administrator when it was created. */
  @Column({ type: 'boolean', default: false })
  owner_was_admin!: boolean;

  /** Time of the second factor of the session that created a personal API token, or null if there was none. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  second_factor_at!: Instant | null;

  /** Networks a personal API token was recently used from, newest first. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  networks!: string[];

  /** Session that requested a link to change the email address. */
  @Column({ type: 'text', nullable: true })
  session_id!: string | null;
}
