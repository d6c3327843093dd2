import { Module } from '@nestjs/common';
import { Incidents } from './incidents.service';
import { ServerStates } from './server-states.service';

/** Incidents of running deployments, whichever check finds them. */
@Module({ providers: [Incidents, ServerStates], exports: [Incidents, ServerStates] })
export class IncidentsModule {}
