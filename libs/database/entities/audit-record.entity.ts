import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant-column';

@Entity('audit_records')
export class AuditRecord {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  /** Null for an operator at the command line and for the product itself. */
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

  /** Account concerned, or null if there is none. */
  @Column({ type: 'integer', nullable: true })
  account_id!: number | null;

  /** Authentication of the actor. Null without a request and in records of older versions. */
  @Column({ type: 'text', nullable: true })
  via!: 'session' | 'api_token' | 'view' | null;

  /** Number of the session, or ID of the API token. */
  @Column({ type: 'integer', nullable: true })
  credential_number!: number | null;

  /** Reason why staff acted on a customer's account, visible to its owner. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;
}
