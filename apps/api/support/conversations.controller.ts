import { CONVERSATIONS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { Conversations } from './conversations.service';

type Calls = typeof CONVERSATIONS_CALLS;

@Controller()
export class ConversationsController {
  constructor(private readonly conversations: Conversations) {}

  @Serve(CONVERSATIONS_CALLS.desk)
  desk({ caller }: CallInput<Calls['desk']>) {
    return this.conversations.desk(caller);
  }

  @Serve(CONVERSATIONS_CALLS.list)
  list({ caller, query }: CallInput<Calls['list']>) {
    return this.conversations.list(caller, query.page);
  }

  @Serve(CONVERSATIONS_CALLS.read)
  read({ caller, params }: CallInput<Calls['read']>) {
    return this.conversations.read(caller, params.id);
  }

  @Serve(CONVERSATIONS_CALLS.reply)
  reply({ caller, params, body, idempotencyKey: key }: CallInput<Calls['reply']>) {
    return this.conversations.reply(caller, params.id, { message: body.message, key });
  }

  @Serve(CONVERSATIONS_CALLS.close)
  close({ caller, params }: CallInput<Calls['close']>) {
    return this.conversations.close(caller, params.id);
  }

  @Serve(CONVERSATIONS_CALLS.visit)
  visit({ body }: CallInput<Calls['visit']>) {
    return this.conversations.visit(body.token);
  }

  @Serve(CONVERSATIONS_CALLS.visitorReply)
  visitorReply({ body: { token, message }, idempotencyKey: key }: CallInput<Calls['visitorReply']>) {
    return this.conversations.visitorReply(token, { message, key });
  }
}
