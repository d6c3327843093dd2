import { handlersOf } from '@moorage/runtime';
import type { ApiDeps, Feature } from '../feature';
import { Authenticator } from '../http/authenticator';
import type { Mails } from '../mail/mails';
import { SupportController } from './support.controller';
import { SupportService } from './support.service';

export function createSupportFeature(
  { db, clock, outbox, settings }: ApiDeps,
  { mails, authenticator }: { mails: Mails; authenticator: Authenticator },
): Feature {
  const support = new SupportService(db, clock, outbox, mails, settings);
  return {
    controllers: [SupportController],
    providers: [
      { provide: SupportService, useValue: support },
      { provide: Authenticator, useValue: authenticator },
    ],
    handlers: handlersOf([support]).handlers,
  };
}
