import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant-column';

/** Identity of this installation, in a single row. */
@Entity('installation')
export class Installation {
  @PrimaryColumn({ type: 'smallint', default: 1 })
  id!: number;

  /** Label of the installation's servers at the providers, 16 characters. */
  @Column({ type: 'text' })
  key!: string;

  @Column({ type: 'timestamptz', transformer: instant })
  created_at!: Instant;
}
