import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant';

@Entity('audit_records')
export class AuditRecord {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  /** Null: an operator at the command line, or the product itself. */
  @Column({ type: 'integer', nullable: true })
  actor_user_id!: number | null;

  @Column({ type: 'text' })
  action!: string;

  @Column({ type: 'text' })
  subject!: string;

  @Column({ type: 'jsonb', default: {} })
  facts!: object;

  @Column({ type: 'timestamptz', transformer: instant })
  at!: Instant;

  /** Whose account or deployment it concerns. Null: nobody's. */
  @Column({ type: 'integer', nullable: true })
  account_id!: number | null;

  /** How the actor was authenticated. Null: no request, or recorded by an older version. */
  @Column({ type: 'text', nullable: true })
  via!: 'session' | 'api_token' | 'view' | null;

  /** The number of the session, or the id of the API token. */
  @Column({ type: 'integer', nullable: true })
  credential_number!: number | null;

  /** Why staff acted on somebody else's account, as its owner reads it. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;
}
