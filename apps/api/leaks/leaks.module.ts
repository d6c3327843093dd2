import { Module } from '@nestjs/common';
import { DecideLeaks } from './decide-leaks';
import { LeaksController } from './leaks.controller';
import { ReadLeaks } from './read-leaks';

/** What is left over at the providers. The provisioner finds and removes it. */
@Module({ controllers: [LeaksController], providers: [ReadLeaks, DecideLeaks] })
export class LeaksModule {}
