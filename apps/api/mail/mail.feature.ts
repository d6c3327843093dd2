import { MAILBOX_CALLS } from '@moorage/contracts';
import { DAY_MS, HOUR_MS, iso } from '@moorage/domain';
import { Controller, Inject } from '@nestjs/common';
import type { ApiDeps, Feature } from '../feature';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { mailHandlers } from './mail.handlers';
import { createMailbox, type Mailbox } from './mailbox';
import { createMails, type Mails, SEND_MAIL } from './mails';
import { createPostman } from './postman';
import { sendMail } from './send-mail.work';

const MAILBOX = Symbol('mailbox');

@Controller()
export class MailboxController {
  constructor(@Inject(MAILBOX) private readonly mailbox: Mailbox) {}

  @Serve(MAILBOX_CALLS.list)
  list({ caller }: CallInput<typeof MAILBOX_CALLS.list>) {
    return this.mailbox.list(caller);
  }

  @Serve(MAILBOX_CALLS.read)
  read({ caller, params }: CallInput<typeof MAILBOX_CALLS.read>) {
    return this.mailbox.read(caller, params.id);
  }
}

/** What was written is looked up rarely, and late even more rarely. */
const KEPT_MS = 90 * DAY_MS;
const CLEAN_EVERY_MS = HOUR_MS;

export function createMailFeature({
  db,
  clock,
  box,
  work,
  settings,
  log,
}: ApiDeps): Feature & { readonly mails: Mails } {
  const mails = createMails({ clock, box, work });
  const { publicUrl, brand, mail } = settings;
  const postman = createPostman(mail, { host: new URL(publicUrl).hostname });
  // with a mail server there is no box to look into: what people were written is theirs
  const toFiles = mail.url === null;
  const mailbox = createMailbox({ folder: mail.folder });
  async function clean(): Promise<void> {
    const before = clock.wall() - KEPT_MS;
    await db.tx('mail.clean', (tx) => tx.execute('delete from mails where created_at < $1', [iso(before)]));
    if (toFiles) await mailbox.clean(before);
  }

  return {
    mails,
    controllers: toFiles ? [MailboxController] : [],
    providers: toFiles ? [{ provide: MAILBOX, useValue: mailbox }] : [],
    handlers: mailHandlers({ mails }),
    work: { [SEND_MAIL]: sendMail({ db, clock, box, brand: { ...brand, publicUrl }, postman }) },
    start: () =>
      Promise.resolve(clock.every(CLEAN_EVERY_MS, clean, (error) => log.error('cleaning mails failed', { error }))),
  };
}
