import { MAILBOX_CALLS } from '@moorage/contracts';
import { Controller } from '@nestjs/common';
import type { Instant } from '@moorage/domain';
import { Db } from '@moorage/server';
import type { CallInput, Caller } from '../http/call-input';
import { Serve } from '../http/serve';
import { Mailbox, type Reader } from './mailbox.service';

@Controller()
export class MailboxController {
  constructor(
    private readonly db: Db,
    private readonly mailbox: Mailbox,
  ) {}

  @Serve(MAILBOX_CALLS.list)
  async list({ caller }: CallInput<typeof MAILBOX_CALLS.list>) {
    return this.mailbox.list(await this.readerOf(caller));
  }

  @Serve(MAILBOX_CALLS.read)
  async read({ caller, params }: CallInput<typeof MAILBOX_CALLS.read>) {
    return this.mailbox.read(await this.readerOf(caller), params.id);
  }

  /**
   * Returns the reader. An address that another account had before counts only from this account's creation or its
   * change of address.
   */
  private async readerOf({ userId, email, isAdmin }: Caller): Promise<Reader> {
    const [row] = await this.db.read('mailbox.reader', (reads) =>
      reads.query<{ since: Instant }>(
        `select greatest(u.created_at, (select max(t.used_at) from user_tokens t
           where t.user_id = u.id and t.purpose = 'change_email')) as since
         from users u where u.id = $1`,
        [userId],
      ),
    );
    return { email, isAdmin, since: row?.since ?? Number.MAX_SAFE_INTEGER };
  }
}
