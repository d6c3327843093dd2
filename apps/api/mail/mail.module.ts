import { type DynamicModule, Module } from '@nestjs/common';
import { ApiSettings } from '../settings';
import { MailSchedule } from './mail.schedule';
import { createMailTransport, MailTransport } from './mail-transport';
import { Mailbox } from './mailbox.service';
import { MailboxController } from './mailbox.controller';
import { MailsController } from './mails.controller';
import { SendMail } from './send-mail.use-case';
import { Unsubscribe } from './unsubscribe.service';

const transport = {
  provide: MailTransport,
  inject: [ApiSettings],
  useFactory: ({ mail, publicUrl }: ApiSettings): MailTransport =>
    createMailTransport(mail, { host: new URL(publicUrl).hostname }),
};

/** Sends the emails queued by `Mails`. */
@Module({ controllers: [MailsController], providers: [SendMail, Unsubscribe, transport] })
export class MailModule {
  static of({ mail }: Pick<ApiSettings, 'mail'>): DynamicModule {
    // With a mail server there is no mailbox to read, because emails belong to their recipients.
    if (mail.url !== null) return { module: MailModule };
    return { module: MailModule, controllers: [MailboxController], providers: [Mailbox, MailSchedule] };
  }
}
