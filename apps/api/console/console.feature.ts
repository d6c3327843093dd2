import { CONSOLE_CALLS, type ConsoleSettings } from '@moorage/contracts';
import { CONSTANTS, Money } from '@moorage/domain';
import { Controller, Inject } from '@nestjs/common';
import type { ApiDeps, Feature } from '../feature';
import { Serve } from '../http/serve';
import type { ApiSettings } from '../settings';

const SETTINGS = Symbol('console settings');

@Controller()
export class ConsoleController {
  constructor(@Inject(SETTINGS) private readonly shown: ConsoleSettings) {}

  @Serve(CONSOLE_CALLS.settings)
  settings() {
    return this.shown;
  }
}

/** What the screens are told of this installation: the list of what leaves is here and nowhere else. */
function shownOf({
  brand,
  mode,
  mail,
  stripe,
  clouds,
  checkoutMaxCents,
  holdMinutes,
  clientKeys,
}: ApiSettings): ConsoleSettings {
  return {
    brand: {
      name: brand.name,
      tagline: brand.tagline,
      support_email: brand.supportEmail,
      intro_video_url: brand.introVideoUrl,
    },
    mode,
    payments: stripe === null ? 'test' : 'stripe',
    mails: mail.url === null ? 'kept' : 'sent',
    clouds: clouds.mode,
    sandbox_domain: clouds.mode === 'sandbox' ? CONSTANTS.sandboxZone : null,
    checkout_max: Money.ofCents(checkoutMaxCents).toWire(),
    hold_minutes: holdMinutes,
    client_key: clientKeys[0] ?? null,
  };
}

export function createConsoleFeature({ settings }: Pick<ApiDeps, 'settings'>): Feature {
  return { controllers: [ConsoleController], providers: [{ provide: SETTINGS, useValue: shownOf(settings) }] };
}
