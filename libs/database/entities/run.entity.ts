import type { Facts, Instant, Message, Plan } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant-column';

/** An execution of a plan for a deployment. */
@Entity('runs')
export class Run {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  deployment_id!: number;

  @Column({ type: 'text' })
  plan!: Plan;

  @Column({ type: 'text', array: true })
  steps!: readonly string[];

  @Column({ type: 'smallint', default: 0 })
  position!: number;

  @Column({ type: 'text', default: 'running' })
  state!: 'running' | 'done' | 'failed' | 'cancelled';

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  step_started_at!: Instant | null;

  @Column({ type: 'smallint', default: 0 })
  step_attempts!: number;

  @Column({ type: 'text', nullable: true })
  failure_reason!: string | null;

  /** Small facts that a run passes from step to step. Never secrets, because the api can read the row. */
  @Column({ type: 'jsonb', default: {} })
  memory!: Readonly<Record<string, string | number | boolean | null | Message>>;

  @Column({ type: 'timestamptz', transformer: instant })
  started_at!: Instant;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  finished_at!: Instant | null;

  @Column({ type: 'text', nullable: true })
  failure_code!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  failure_facts!: Facts | null;
}
