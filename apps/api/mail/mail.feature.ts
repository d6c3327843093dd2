import { MAILBOX_CALLS } from '@moorage/contracts';
import { DAY_MS, HOUR_MS } from '@moorage/domain';
import { Controller, Inject } from '@nestjs/common';
import type { ApiDeps, Feature } from '../feature';
import type { CallInput } from '../http/call-input';
import { Serve } from '../http/serve';
import { mailHandlers } from './mail.handlers';
import { createMailbox, type Mailbox } from './mailbox';
import { Mails, SEND_MAIL } from './mails';
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

/** The files of mails that were written to a folder; their rows go by the table of retention, at the same age. */
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
  const mails = new Mails(clock, box, work);
  const { publicUrl, brand, mail } = settings;
  const postman = createPostman(mail, { host: new URL(publicUrl).hostname });
  // with a mail server there is no box to look into: what people were written is theirs
  const toFiles = mail.url === null;
  const mailbox = createMailbox({ folder: mail.folder });
  async function clean(): Promise<void> {
    await mailbox.clean(clock.wall() - KEPT_MS);
  }

  return {
    mails,
    controllers: toFiles ? [MailboxController] : [],
    providers: toFiles ? [{ provide: MAILBOX, useValue: mailbox }] : [],
    handlers: mailHandlers({ mails }),
    work: { [SEND_MAIL]: sendMail({ db, clock, box, brand: { ...brand, publicUrl }, postman }) },
    ...(toFiles
      ? {
          start: () =>
            Promise.resolve(
              clock.every(CLEAN_EVERY_MS, clean, (error) => log.error('cleaning mails failed', { error })),
            ),
        }
      : {}),
  };
}
