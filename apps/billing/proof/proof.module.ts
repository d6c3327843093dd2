import { Module } from '@nestjs/common';
import { Proof } from './proof.service';

@Module({ providers: [Proof], exports: [Proof] })
export class ProofModule {}
