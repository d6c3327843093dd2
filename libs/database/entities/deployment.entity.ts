import type { DeploymentStatus, Facts, Instant, ServerType, SupportLevel } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant-column';

/** A deployment, also after its end. */
@Entity('deployments')
export class Deployment {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @Column({ type: 'integer' })
  user_id!: number;

  @Column({ type: 'text' })
  ref!: string;

  @Column({ type: 'text' })
  client_name!: string;

  @Column({ type: 'text' })
  client_id!: string;

  @Column({ type: 'text' })
  package!: string;

  @Column({ type: 'text' })
  server_type!: ServerType;

  @Column({ type: 'text', nullable: true })
  cloud_provider!: string | null;

  @Column({ type: 'text', nullable: true })
  region!: string | null;

  @Column({ type: 'text', nullable: true })
  instance_type!: string | null;

  @Column({ type: 'smallint' })
  support_level!: SupportLevel;

  @Column({ type: 'bigint' })
  instance_hourly_micros!: string;

  @Column({ type: 'text' })
  status!: DeploymentStatus;

  @Column({ type: 'text', default: 'running' })
  desired!: 'running' | 'destroyed';

  @Column({ type: 'text', nullable: true })
  destroy_reason!: 'deleted' | 'depleted' | 'account' | 'failed' | 'handed_over' | null;

  @Column({ type: 'text', nullable: true })
  restart_from!: DeploymentStatus | null;

  /** See `failureOf`. */
  @Column({ type: 'text', nullable: true })
  failure_reason!: string | null;

  @Column({ type: 'boolean', default: false })
  server_exists!: boolean;

  @Column({ type: 'inet', nullable: true })
  vps_ip_address!: string | null;

  @Column({ type: 'inet', nullable: true })
  instance_ip!: string | null;

  @Column({ type: 'text', nullable: true })
  domain!: string | null;

  @Column({ type: 'text', nullable: true })
  admin_subdomain!: string | null;

  @Column({ type: 'text', nullable: true })
  static_page_subdomain!: string | null;

  @Column({ type: 'inet', nullable: true })
  komodo_host_ip!: string | null;

  @Column({ type: 'jsonb', default: {} })
  config!: Readonly<Record<string, string>>;

  @Column({ type: 'text', nullable: true })
  user_ssh_key!: string | null;

  @Column({ type: 'text', nullable: true })
  postgres_host!: string | null;

  @Column({ type: 'text', nullable: true })
  postgres_user!: string | null;

  @Column({ type: 'text', nullable: true })
  github_repo!: string | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  billable_from!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  billable_to!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  level_changed_at!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  dns_retried_at!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  restarted_at!: Instant | null;

  @Column({ type: 'integer', default: 1 })
  version!: number;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  @Column({ type: 'timestamptz', transformer: instant })
  updated_at!: Instant;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  deleted_at!: Instant | null;

  /** Status at the time its server was lost. */
  @Column({ type: 'text', nullable: true })
  lost_from!: DeploymentStatus | null;

  @Column({ type: 'text', nullable: true })
  failure_code!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  failure_facts!: Facts | null;

  /** Delete and cancel requests of its owner are rejected. */
  @Column({ type: 'boolean', default: false })
  deletion_locked!: boolean;

  /** Time at which its owner last chose another domain. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  domain_changed_at!: Instant | null;

  /** The stack on its server does not have the current domain yet. */
  @Column({ type: 'boolean', default: false })
  stack_outdated!: boolean;

  /** Status from which its owner deleted it, until it runs again. Null if it was not running. */
  @Column({ type: 'text', nullable: true })
  deleted_from!: DeploymentStatus | null;

  /** Time until which its server is kept so that its delete can be undone. Null once the removal has begun. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  undo_until!: Instant | null;

  /** Version in the manifest of its package. Null stands for the first release. */
  @Column({ type: 'text', nullable: true })
  release!: string | null;
}
