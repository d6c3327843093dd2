import { MAILS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { Unsubscribe } from './unsubscribe';

@Controller()
export class MailsController {
  constructor(private readonly unsubscribing: Unsubscribe) {}

  @Serve(MAILS_CALLS.unsubscribe)
  unsubscribe({ query }: CallInput<typeof MAILS_CALLS.unsubscribe>) {
    return this.unsubscribing.unsubscribe(query.token);
  }
}
