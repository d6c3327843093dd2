import { ADMIN_USERS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { UserActivity } from './user-activity.service';

type Calls = typeof ADMIN_USERS_CALLS;

@Controller()
export class UserActivityController {
  constructor(private readonly records: UserActivity) {}

  @Serve(ADMIN_USERS_CALLS.sessions)
  sessions({ params }: CallInput<Calls['sessions']>) {
    return this.records.sessions(params.id);
  }

  @Serve(ADMIN_USERS_CALLS.endSessions)
  endSessions({ caller, params }: CallInput<Calls['endSessions']>) {
    return this.records.endSessions(caller, params.id);
  }

  @Serve(ADMIN_USERS_CALLS.credits)
  credits({ params }: CallInput<Calls['credits']>) {
    return this.records.credits(params.id);
  }

  @Serve(ADMIN_USERS_CALLS.mails)
  mails({ params }: CallInput<Calls['mails']>) {
    return this.records.mails(params.id);
  }

  @Serve(ADMIN_USERS_CALLS.supportMessages)
  supportMessages({ caller, params }: CallInput<Calls['supportMessages']>) {
    return this.records.supportMessages(caller, params.id);
  }

  @Serve(ADMIN_USERS_CALLS.history)
  history({ params }: CallInput<Calls['history']>) {
    return this.records.history(params.id);
  }
}
