import type { AlertKind, Instant } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant-column';

/** Facts of an alert, such as IDs, counts and codes. They contain no secrets and no customer input. */
export type AlertFacts = { readonly [name: string]: AlertFact | undefined };
type AlertFact = string | number | boolean | null | readonly AlertFact[] | AlertFacts;

@Entity('operator_alerts')
export class OperatorAlert {
  @PrimaryColumn({ type: 'text' })
  kind!: AlertKind;

  /** Subject for kinds with several alerts, such as a consumer or a provider, or '' for kinds with a single alert. */
  @PrimaryColumn({ type: 'text', default: '' })
  subject!: string;

  @Column({ type: 'jsonb', default: {} })
  facts!: AlertFacts;

  @Column({ type: 'timestamptz', transformer: instant })
  first_seen_at!: Instant;

  @Column({ type: 'timestamptz', transformer: instant })
  last_seen_at!: Instant;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  mailed_at!: Instant | null;

  @Column({ type: 'timestamptz', nullable: true, transformer: instant })
  resolved_at!: Instant | null;
}
