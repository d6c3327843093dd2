import { MAILBOX_CALLS } from '@moorage/contracts';
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
  list() {
    return this.mailbox.list();
  }

  @Serve(MAILBOX_CALLS.read)
  read({ params }: CallInput<typeof MAILBOX_CALLS.read>) {
    return this.mailbox.read(params.id);
  }
}

export function createMailFeature({ db, clock, box, work, settings }: ApiDeps): Feature & { readonly mails: Mails } {
  const mails = createMails({ clock, box, work });
  const { publicUrl, brand, mail } = settings;
  const postman = createPostman(mail, { host: new URL(publicUrl).hostname });
  // with a mail server there is no box to look into: what people were written is theirs
  const toFiles = mail.url === null;
  return {
    mails,
    controllers: toFiles ? [MailboxController] : [],
    providers: toFiles ? [{ provide: MAILBOX, useValue: createMailbox({ folder: mail.folder }) }] : [],
    handlers: mailHandlers({ mails }),
    work: { [SEND_MAIL]: sendMail({ db, clock, box, brand: { ...brand, publicUrl }, postman }) },
  };
}
