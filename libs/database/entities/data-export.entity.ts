import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant-column';

@Entity('data_exports')
export class DataExport {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number;

  @Column({ type: 'integer' })
  user_id!: number;

  @Column({ type: 'text' })
  state!: 'preparing' | 'ready' | 'failed';

  /** Zip archive, which is only selected explicitly. */
  @Column({ type: 'bytea', nullable: true, select: false })
  content!: Buffer | null;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  ready_at!: Instant | null;
}
