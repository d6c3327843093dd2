import type { CpuTicks, HostFacts, Instant, Message, ReachabilityState, Streaks } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant-column';

/** Last results of the checks of a running deployment, and the times of the next checks. */
@Entity('reachability')
export class DeploymentReachability {
  @PrimaryColumn({ type: 'integer' })
  deployment_id!: number;

  /** Next request to its address. Null while the deployment does not run. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  due_at!: Instant | null;

  @Column({ type: 'text' })
  state!: ReachabilityState;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  since!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  checked_at!: Instant | null;

  /** Null if the last request failed. */
  @Column({ type: 'integer', nullable: true })
  response_ms!: number | null;

  @Column({ type: 'jsonb', default: {} })
  streaks!: Streaks;

  /** There is no streak, and no incident that has not settled. */
  @Column({ type: 'boolean', default: false })
  is_quiet!: boolean;

  /** Next login to the server. Null while the deployment does not run. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  host_due_at!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  host_checked_at!: Instant | null;

  /** Figures of the last successful check. */
  @Column({ type: 'jsonb', nullable: true })
  host!: HostFacts | null;

  @Column({ type: 'jsonb', nullable: true })
  cpu_ticks!: CpuTicks | null;

  /** Null if the last check succeeded. */
  @Column({ type: 'jsonb', nullable: true })
  host_failure!: Message | null;

  /** Next check of its certificates and DNS records. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  names_due_at!: Instant | null;

  /** Null before the first comparison with the provider. */
  @Column({ type: 'boolean', nullable: true })
  server_runs!: boolean | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  server_seen_at!: Instant | null;

  // An older version, which may still run beside this one, stores outages here. Incidents have replaced them.

  @Column({ type: 'integer', default: 0, select: false })
  failures?: number;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant, select: false })
  failed_since?: Instant | null;

  @Column({ type: 'jsonb', default: [], select: false })
  outages?: object;

  @Column({ type: 'jsonb', default: [], select: false })
  mailed?: object;
}
