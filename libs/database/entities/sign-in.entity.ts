import type { SignInKind } from '@moorage/contracts';
import type { Instant } from '@moorage/domain';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { instant } from './instant-column';

@Entity('sign_ins')
export class SignIn {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'integer' })
  user_id!: number;

  @Column({ type: 'timestamptz', transformer: instant })
  at!: Instant;

  @Column({ type: 'text' })
  kind!: SignInKind;

  @Column({ type: 'inet' })
  ip_address!: string;

  @Column({ type: 'text', nullable: true })
  user_agent!: string | null;
}
