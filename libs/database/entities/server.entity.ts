import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant-column';

/** The machine of a deployment, which is ours or the user's own. */
@Entity('servers')
export class Server {
  @PrimaryColumn({ type: 'integer' })
  deployment_id!: number;

  /** Key of the cloud provider, or `own`. */
  @Column({ type: 'text' })
  provider!: string;

  @Column({ type: 'text' })
  region!: string;

  @Column({ type: 'text' })
  instance_type!: string;

  @Column({ type: 'text', nullable: true })
  provider_server_id!: string | null;

  @Column({ type: 'inet', nullable: true })
  address!: string | null;

  @Column({ type: 'text', nullable: true })
  host_key_sha256!: string | null;

  /**
   * Host key with which the bootstrap is about to replace the first key. Both are ours and accepted in the meantime.
   */
  @Column({ type: 'text', nullable: true })
  next_host_key_sha256!: string | null;

  @Column({ type: 'boolean', default: false })
  host_key_renewed!: boolean;

  /** Global IPv6 address, if the machine has one. */
  @Column({ type: 'inet', nullable: true })
  ipv6_address!: string | null;

  @Column({ type: 'text', default: 'root' })
  ssh_user!: string;

  @Column({ type: 'integer', default: 22 })
  ssh_port!: number;

  @Column({ type: 'text', default: 'wanted' })
  state!: 'wanted' | 'exists' | 'gone';

  /** Time of a create request with an unknown outcome. */
  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  asked_at!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  lost_seen_at!: Instant | null;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  gone_at!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  missed_at!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  removal_confirmed_at!: Instant | null;

  @Column({ type: 'inet', nullable: true })
  moved_to!: string | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  address_changed_at!: Instant | null;

  @Column({ type: 'integer', nullable: true })
  disk_gb!: number | null;
}
