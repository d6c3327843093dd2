import { MAILBOX_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { Mailbox } from './mailbox';

@Controller()
export class MailboxController {
  constructor(private readonly mailbox: Mailbox) {}

  @Serve(MAILBOX_CALLS.list)
  list({ caller }: CallInput<typeof MAILBOX_CALLS.list>) {
    return this.mailbox.list(caller);
  }

  @Serve(MAILBOX_CALLS.read)
  read({ caller, params }: CallInput<typeof MAILBOX_CALLS.read>) {
    return this.mailbox.read(caller, params.id);
  }
}
