import { Module } from '@nestjs/common';
import { DecideLeaks } from './decide-leaks';
import { LeaksController } from './leaks.controller';
import { ReadLeaks } from './read-leaks';

/** Leaks at the providers. The provisioner finds and removes them. */
@Module({ controllers: [LeaksController], providers: [ReadLeaks, DecideLeaks] })
export class LeaksModule {}
