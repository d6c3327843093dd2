import { Module } from '@nestjs/common';
import { Proof } from './proof';

@Module({ providers: [Proof], exports: [Proof] })
export class ProofModule {}
