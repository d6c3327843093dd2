import { Module } from '@nestjs/common';
import { DecideLeaks } from './decide-leaks.use-case';
import { LeaksController } from './leaks.controller';
import { ReadLeaks } from './read-leaks.use-case';

/** Leaks at the providers. The provisioner finds and removes them. */
@Module({ controllers: [LeaksController], providers: [ReadLeaks, DecideLeaks] })
export class LeaksModule {}
