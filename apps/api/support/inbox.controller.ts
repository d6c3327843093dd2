import { ADMIN_SUPPORT_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { Inbox } from './inbox.service';

type Calls = typeof ADMIN_SUPPORT_CALLS;

@Controller()
export class InboxController {
  constructor(private readonly inbox: Inbox) {}

  @Serve(ADMIN_SUPPORT_CALLS.list)
  list({ caller, query }: CallInput<Calls['list']>) {
    return this.inbox.list(caller, query);
  }

  @Serve(ADMIN_SUPPORT_CALLS.counts)
  counts({ caller }: CallInput<Calls['counts']>) {
    return this.inbox.counts(caller);
  }

  @Serve(ADMIN_SUPPORT_CALLS.staff)
  staff() {
    return this.inbox.staff();
  }

  @Serve(ADMIN_SUPPORT_CALLS.read)
  read({ caller, params }: CallInput<Calls['read']>) {
    return this.inbox.read(caller, params.id);
  }

  @Serve(ADMIN_SUPPORT_CALLS.answer)
  answer({ caller, params, body, idempotencyKey: key }: CallInput<Calls['answer']>) {
    return this.inbox.answer(caller, params.id, { message: body.message, key });
  }

  @Serve(ADMIN_SUPPORT_CALLS.note)
  note({ caller, params, body, idempotencyKey: key }: CallInput<Calls['note']>) {
    return this.inbox.note(caller, params.id, { message: body.message, key });
  }

  @Serve(ADMIN_SUPPORT_CALLS.assign)
  assign({ caller, params, body }: CallInput<Calls['assign']>) {
    return this.inbox.assign(caller, params.id, body.user_id);
  }

  @Serve(ADMIN_SUPPORT_CALLS.close)
  close({ caller, params }: CallInput<Calls['close']>) {
    return this.inbox.close(caller, params.id);
  }
}
