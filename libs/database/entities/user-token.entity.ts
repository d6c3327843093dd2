import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant';

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

  /** What its owner calls a personal API token. */
  @Column({ type: 'text', nullable: true })
  label!: string | null;

  /** Of a personal API token. */
  @Column({ type: 'text', default: 'write' })
  scope!: 'read' | 'write' | 'admin';

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  /** Null: a personal API token without an end. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  expires_at!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  used_at!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  revoked_at!: Instant | null;

  /** Of a personal API token; noted every few minutes. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  last_used_at!: Instant | null;

  /** Of a personal API token: its owner was an administrator when it was created. */
  @Column({ type: 'boolean', default: false })
  owner_was_admin!: boolean;

  /** Of a personal API token: when the session that created it gave its second factor. Null: never. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  second_factor_at!: Instant | null;

  /** Of a personal API token: the networks it was used from lately, the newest first. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  networks!: string[];

  /** Of a link to change the email address: the session that requested it. */
  @Column({ type: 'text', nullable: true })
  session_id!: string | null;
}
