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
}
