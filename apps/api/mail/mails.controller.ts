import { MAILS_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { Unsubscribe } from './unsubscribe.service';

@Controller()
export class MailsController {
  constructor(private readonly unsubscribing: Unsubscribe) {}

  /** Redirects without any change, because programs that scan emails open every address. */
  @Serve(MAILS_CALLS.unsubscribePage)
  page({ query: { token }, reply }: CallInput<typeof MAILS_CALLS.unsubscribePage>): string {
    reply.status(303);
    reply.header('location', token === undefined ? '/unsubscribe' : `/unsubscribe?token=${token}`);
    return '';
  }

  @Serve(MAILS_CALLS.unsubscribe)
  unsubscribe({ query }: CallInput<typeof MAILS_CALLS.unsubscribe>) {
    return this.unsubscribing.unsubscribe(query.token);
  }
}
