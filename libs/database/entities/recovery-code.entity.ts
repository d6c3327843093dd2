import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant-column';

@Entity('recovery_codes')
export class RecoveryCode {
  @PrimaryColumn({ type: 'integer' })
  user_id!: number;

  @PrimaryColumn({ type: 'text' })
  code_hash!: string;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  used_at!: Instant | null;
}
