import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant';

/** One row: who this installation is. */
@Entity('installation')
export class Installation {
  @PrimaryColumn({ type: 'smallint', default: 1 })
  id!: number;

  /** 16 characters; labels our servers at the providers. */
  @Column({ type: 'text' })
  key!: string;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;
}
