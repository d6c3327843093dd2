import type { Instant, Outage, ReachabilityState } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant-column';

/** Reachability of a deployment (`Reachability` of the domain), and the time of its next check. */
@Entity('reachability')
export class DeploymentReachability {
  @PrimaryColumn({ type: 'integer' })
  deployment_id!: number;

  /** Null while the deployment does not run. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  due_at!: Instant | null;

  @Column({ type: 'text' })
  state!: ReachabilityState;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  since!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  checked_at!: Instant | null;

  @Column({ type: 'integer' })
  failures!: number;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  failed_since!: Instant | null;

  @Column({ type: 'jsonb' })
  outages!: readonly Outage[];

  @Column({ type: 'jsonb' })
  mailed!: readonly Instant[];
}
