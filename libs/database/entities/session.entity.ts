import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant';

@Entity('sessions')
export class Session {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'integer' })
  user_id!: number;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  @Column({ type: 'timestamptz', transformer: instant })
  last_used_at!: Instant;

  @Column({ type: 'timestamptz', transformer: instant })
  expires_at!: Instant;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  ended_at!: Instant | null;
}
