import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant-column';

/**
 * Network and device of an audited action. They are personal data, so they are removed with the account or after a
 * year. The audit record remains.
 */
@Entity('audit_origins')
export class AuditOrigin {
  @PrimaryColumn({ type: 'bigint' })
  record_id!: string;

  @Column({ type: 'integer' })
  actor_user_id!: number;

  @Column({ type: 'inet' })
  ip_address!: string;

  @Column({ type: 'text', nullable: true })
  user_agent!: string | null;

  @Column({ type: 'timestamptz', transformer: instant })
  at!: Instant;
}
