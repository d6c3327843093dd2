import type { AlertKind, Instant } from '@moorage/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { instant } from './instant';

/** What is known of an alert: ids, counts and codes. Never a secret, nor what a customer typed. */
export type AlertFacts = { readonly [name: string]: AlertFact | undefined };
type AlertFact = string | number | boolean | null | readonly AlertFact[] | AlertFacts;

@Entity('operator_alerts')
export class OperatorAlert {
  @PrimaryColumn({ type: 'text' })
  kind!: AlertKind;

  /** What it is about where a kind has several: a consumer, a provider; '' where it has one. */
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
